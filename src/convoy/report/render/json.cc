#include <charconv>
#include <cmath>
#include <nlohmann/json.hpp>

#include "convoy/report/render/renderers.h"

namespace convoy::report {
namespace {

using Json = nlohmann::ordered_json;

// A number if the whole cell is one; null for an empty cell or "-".
Json json_cell(const std::string& cell) {
  if (cell.empty() || cell == "-") return nullptr;
  double number = 0;
  const char* const end = cell.data() + cell.size();
  const auto [read_to, error] = std::from_chars(cell.data(), end, number);
  if (error == std::errc() && read_to == end && std::isfinite(number)) return number;
  return cell;
}

Json json_rows(const Table& table) {
  Json rows = Json::array();
  for (const Row& row : table.rows) {
    Json& object = rows.emplace_back(Json::object());
    for (std::size_t i = 0; i < row.cells.size(); ++i) object[table.header[i]] = json_cell(row.cells[i]);
  }
  return rows;
}

// Programs get tables and figures; paragraphs and other words are left out.
struct JsonBlocks {
  Json tables = Json::object();
  Json figures = Json::object();

  void operator()(const Table& table) { tables[table.id] = {{"caption", table.caption}, {"rows", json_rows(table)}}; }
  void operator()(const Figure& figure) {
    figures[figure.id] = {{"title", figure.title}, {"definition", figure.definition}, {"rows", json_rows(figure.data)}};
  }
  void operator()(const auto& /*words*/) {}
};

}  // namespace

std::string to_json_text(const Document& document) {
  check_document(document);
  JsonBlocks blocks;
  for (const Section& section : document.sections) {
    for (const Block& block : section.blocks) std::visit(blocks, block);
  }
  const Json json = {{"title", document.title},
                     {"subtitle", document.subtitle},
                     {"tables", std::move(blocks.tables)},
                     {"figures", std::move(blocks.figures)}};
  return json.dump(-1, ' ', false, Json::error_handler_t::replace) + '\n';
}

}  // namespace convoy::report
