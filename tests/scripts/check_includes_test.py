"""Tests scripts/check_includes on small made-up projects. Usage: check_includes_test.py PATH_OF_SCRIPT"""
import pathlib
import subprocess
import sys
import tempfile
import unittest

SCRIPT = sys.argv.pop(1)

ARCHITECTURE = """
| folder | holds | may include |
|---|---|---|
| base | errors | - |
| graph | graphs | base |
| models | the zoo | graph |
| kernels | operators | base |
| kernels/twins | naive ones, for tests only | kernels |
| cli | commands | all |

| header | only in |
|---|---|
| `dnnl*` | kernels |
| `mpi.h` | base/mpi |

| namespace | folder |
|---|---|
| `convoy::kernels` | kernels |
"""


class CheckIncludes(unittest.TestCase):
    def check(self, files, architecture=ARCHITECTURE):
        """Exit code and output for a project of these files (path under src/convoy -> text)."""
        with tempfile.TemporaryDirectory() as name:
            root = pathlib.Path(name)
            (root / "ARCHITECTURE.md").write_text(architecture)
            for path, text in files.items():
                file = root / "src" / "convoy" / path
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_text(text)
            run = subprocess.run([sys.executable, SCRIPT, "--root", name], capture_output=True, text=True, check=False)
            return run.returncode, run.stdout + run.stderr

    def assert_refused(self, files, *words, architecture=ARCHITECTURE):
        code, text = self.check(files, architecture)
        self.assertEqual(code, 1, text)
        for word in words:
            self.assertIn(word, text)

    def test_what_the_table_allows_passes(self):
        self.assertEqual((0, ""), self.check({
            "base/error.h": "#include <string>\n",
            "graph/graph.h": '#include "convoy/base/error.h"\n#include "convoy/graph/node.h"\n',
            "models/vgg.cc": '#include "convoy/graph/graph.h"\n#include "convoy/base/error.h"\n',
            "kernels/onednn/conv.cc": "#include <dnnl.hpp>\n",
            "base/mpi/world.cc": "#include <mpi.h>\n",
            "cli/main.cc": '#include "convoy/kernels/conv.h"\n#include "convoy/models/vgg.h"\n',
        }))

    def test_any_test_may_use_what_is_for_tests_only(self):
        twin = '#include "convoy/kernels/twins/conv.h"\n'
        self.assertEqual((0, ""), self.check({"kernels/conv_test.cc": twin, "graph/graph_test.cc": twin,
                                              "kernels/twins/conv.cc": twin + '#include "convoy/kernels/conv.h"\n'}))
        for path in ("kernels/conv.cc", "cli/main.cc"):
            self.assert_refused({path: twin}, f"{path}:1:", "may not include kernels/twins")

    def test_a_namespace_belongs_to_its_folder(self):
        self.assertEqual((0, ""), self.check({
            "kernels/conv.h": "namespace convoy::kernels {\n", "kernels/twins/conv.h": "namespace convoy::kernels::twins {\n",
            "graph/graph.h": "namespace convoy::kernels {\nclass Conv;\n}\nnamespace convoy {\n",
            "convoy.h": '#include "convoy/kernels/conv.h"\n'}))
        self.assert_refused({"kernels/conv.h": "namespace convoy {\n"}, "conv.h:1:", "kernels is in namespace convoy::kernels")
        self.assert_refused({"graph/graph.h": "namespace CLI {\nclass App;\n}\nnamespace convoy::graph {\n"}, "graph.h:4:", "not convoy::graph")

    def test_upwards_include_is_found_with_file_and_line(self):
        self.assert_refused({"base/error.cc": '\n#include "convoy/graph/graph.h"\n'}, "base/error.cc:2:",
                            "base may not include graph")

    def test_sideways_include_is_found(self):
        self.assert_refused({"kernels/conv.h": '  #  include "convoy/graph/graph.h"\n'},
                            "kernels may not include graph")

    def test_tests_are_checked_too(self):
        self.assert_refused({"graph/graph_test.cc": '#include "convoy/models/vgg.h"\n'}, "graph may not include models")

    def test_guarded_headers(self):
        self.assert_refused({"graph/graph.cc": "#include <dnnl.hpp>\n"}, "dnnl.hpp belongs in kernels/ only")
        self.assert_refused({"cli/main.cc": '#include "oneapi/dnnl/dnnl_types.h"\n'}, "belongs in kernels/ only")
        self.assert_refused({"base/mpi_world.cc": "#include <mpi.h>\n"}, "mpi.h belongs in base/mpi/ only")

    def test_unknown_folders(self):
        self.assert_refused({"extra/a.cc": ""}, "no folder 'extra'")
        self.assert_refused({"cli/a.cc": '#include "convoy/extra/a.h"\n'}, "no folder 'extra'")

    def test_own_headers_by_full_path_only(self):
        self.assert_refused({"cli/a.cc": '#include "a.h"\n'}, 'write "convoy/..."')

    def test_a_room_includes_just_what_its_row_says(self):
        rooms = ARCHITECTURE.replace("| cli |", "| models/zoo | networks | models |\n| cli |")
        include = '#include "convoy/graph/graph.h"\n'
        self.assertEqual((0, ""), self.check({"models/vgg.cc": include, "models/zoo/a.cc": '#include "convoy/models/v.h"\n',
                                              "models/zoo/a_test.cc": include}, rooms))
        self.assert_refused({"models/zoo/a.cc": include}, "models/zoo may not include graph", architecture=rooms)
        self.assert_refused({"models/vgg.cc": '#include "convoy/models/zoo/a.h"\n'}, "models may not include models/zoo",
                            architecture=rooms)

    def test_walks_name_files_that_are_there_and_enter_no_folder_twice(self):
        walks = ARCHITECTURE + "\n| walk | files |\n|---|---|\n| up | `base/a` `base/b` `graph/c` |\n"
        files = {"base/a.h": "", "base/b.h": "", "graph/c.h": ""}
        self.assertEqual((0, ""), self.check(files, walks))
        self.assert_refused({"base/a.h": "", "graph/c.h": ""}, "base/b", "no such file", architecture=walks)
        self.assert_refused(files, "enters base twice", architecture=walks.replace("`base/b` `graph/c`", "`graph/c` `base/b`"))

    def test_table_with_a_cycle_or_none_at_all(self):
        cycle = ARCHITECTURE.replace("| base | errors | - |", "| base | errors | graph |")
        self.assert_refused({"base/a.cc": ""}, "no row above", architecture=cycle)
        self.assert_refused({"base/a.cc": ""}, "no table", architecture="nothing here\n")

    def test_a_project_without_sources_does_not_pass(self):
        self.assert_refused({}, "no sources")


if __name__ == "__main__":
    unittest.main()
