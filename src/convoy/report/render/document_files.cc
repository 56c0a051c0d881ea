#include "convoy/report/render/document_files.h"

namespace convoy::report {

std::string csv_file_name(const std::string& id) { return "data/" + id + ".csv"; }

std::string svg_file_name(const std::string& id) { return "figures/" + id + ".svg"; }

std::vector<NamedFile> to_csv_files(const Document& document) {
  check_document(document);
  std::vector<NamedFile> files;
  for (const Section& section : document.sections) {
    for (const Block& block : section.blocks) {
      if (const auto* table = std::get_if<Table>(&block)) {
        files.push_back({csv_file_name(table->id), to_csv(*table)});
      } else if (const auto* figure = std::get_if<Figure>(&block); figure != nullptr && !figure->data.rows.empty()) {
        files.push_back({csv_file_name(figure->id), to_csv(figure->data)});
      }
    }
  }
  return files;
}

std::vector<NamedFile> to_svg_files(const Document& document) {
  check_document(document);
  std::vector<NamedFile> files;
  for (const Section& section : document.sections) {
    for (const Block& block : section.blocks) {
      if (const auto* figure = std::get_if<Figure>(&block)) {
        files.push_back({svg_file_name(figure->id), to_svg_file(*figure)});
      }
    }
  }
  return files;
}

}  // namespace convoy::report
