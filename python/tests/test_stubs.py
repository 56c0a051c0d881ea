"""For type checkers: the stub lists exactly what the compiled module has, and all other functions have annotations."""
import ast
import inspect
import pathlib

import convoy
from convoy import _convoy


def public(names):
    return {name for name in names if not name.startswith("_")}


def declared(body):
    """The names that are declared in the body of a stub, or of a class in it, each with its declaration."""
    found = {}
    for each in body:
        if isinstance(each, (ast.FunctionDef, ast.ClassDef)):
            found[each.name] = each
        elif isinstance(each, ast.AnnAssign):
            found[each.target.id] = each
    return found


def test_the_stub_is_complete_and_has_nothing_else():
    stub = pathlib.Path(convoy.__file__).with_name("_convoy.pyi")
    names = declared(ast.parse(stub.read_text(encoding="utf-8")).body)
    assert public(names) == public(dir(_convoy))
    for name, node in names.items():
        if isinstance(node, ast.ClassDef):
            assert public(declared(node.body)) == public(vars(getattr(_convoy, name))), name


def functions():
    for name in convoy.__all__:
        found = getattr(convoy, name)
        if inspect.isfunction(found):
            yield name, found
        elif inspect.isclass(found) and not issubclass(found, Exception):
            for member, value in vars(found).items():
                value = value.fget if isinstance(value, property) else getattr(value, "__func__", value)
                if inspect.isfunction(value) and (member == "__init__" or not member.startswith("_")):
                    yield f"{name}.{member}", value


def test_everything_is_annotated():
    seen = list(functions())
    assert len(seen) > 60
    for name, function in seen:
        signature = inspect.signature(function)
        assert signature.return_annotation is not signature.empty, name
        for parameter in signature.parameters.values():
            assert parameter.name in ("self", "cls") or parameter.annotation is not parameter.empty, \
                f"{name}({parameter.name})"
