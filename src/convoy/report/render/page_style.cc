#include "convoy/report/render/page_style.h"

#include <fmt/format.h>

#include <string_view>

#include "convoy/report/chart/chart_style.h"

namespace convoy::report {
namespace {

constexpr std::string_view kLightPage =
    "--page:#ffffff;--panel:#f6f8fa;--rule:#dfe4ea;--link:#005f96;--warning:#9a4a00;--warning-panel:#fdf4ea;"
    "--note:#005f96;--note-panel:#eef5fa;--best-row:#eef6fb;";
constexpr std::string_view kDarkPage =
    "--page:#12161c;--panel:#1a2029;--rule:#2b3440;--link:#6cb8ef;--warning:#ffb37a;--warning-panel:#2a2019;"
    "--note:#6cb8ef;--note-panel:#172431;--best-row:#17273a;";

constexpr std::string_view kText = R"css(
*{box-sizing:border-box}
html{font:16px/1.6 system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif;
background:var(--page);color:var(--ink);-webkit-text-size-adjust:100%;scroll-padding-top:1rem}
body{margin:0 auto;max-width:84rem;padding:0 1.25rem 4rem}
a{color:var(--link);text-underline-offset:.15em}
:focus-visible{outline:2px solid var(--link);outline-offset:2px;border-radius:2px}
.skip{position:absolute;left:-999rem;background:var(--page);padding:.5rem 1rem}
.skip:focus{left:1rem;top:.5rem;z-index:1}
.page-header{padding:3rem 0 1.5rem;border-bottom:1px solid var(--rule);margin-bottom:2rem}
h1{font-size:2rem;line-height:1.2;letter-spacing:-.015em;margin:0;text-wrap:balance;overflow-wrap:anywhere}
h2{font-size:1.4rem;line-height:1.3;letter-spacing:-.01em;margin:0 0 1rem}
.subtitle{color:var(--muted);margin:.6rem 0 0;max-width:46rem}
p,dl,pre{margin:0 0 1rem}
main p,dd{max-width:46rem;overflow-wrap:break-word}
section{margin-bottom:3.5rem}
code,pre{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace;font-size:.875em}
code{background:var(--panel);padding:.1em .3em;border-radius:3px;overflow-wrap:anywhere}
nav{font-size:.9rem}
nav ol{list-style:none;margin:0 0 2rem;padding:0;display:flex;flex-wrap:wrap;gap:.3rem 1.25rem}
nav a{text-decoration:none}
nav a:hover{text-decoration:underline}
.label{font-weight:600;color:var(--ink)}
.listing{margin:0 0 1.5rem}
.listing p{margin:0 0 .35rem;font-size:.9rem;color:var(--muted)}
pre{background:var(--panel);border:1px solid var(--rule);border-radius:6px;padding:.8rem 1rem;overflow-x:auto;line-height:1.5}
pre code{background:none;padding:0;overflow-wrap:normal}
.notice{border-left:4px solid var(--note);background:var(--note-panel);border-radius:0 6px 6px 0;padding:.8rem 1.1rem;
margin:0 0 1.5rem}
.notice p{margin:0}
.notice .notice-title{font-weight:600;color:var(--note);margin-bottom:.2rem}
.notice.warning{border-color:var(--warning);background:var(--warning-panel)}
.notice.warning .notice-title{color:var(--warning)}
.definitions{display:grid;grid-template-columns:minmax(8rem,max-content) 1fr;gap:.5rem 1.5rem;margin:0 0 1.5rem}
dt{font-weight:600;max-width:16rem}
dd{margin:0}
.highlights{display:grid;grid-template-columns:repeat(auto-fit,minmax(12rem,1fr));gap:1px;background:var(--rule);
border:1px solid var(--rule);border-radius:8px;overflow:hidden;margin:0 0 1.75rem}
.highlights div{background:var(--page);padding:1rem 1.15rem;display:grid;grid-template-rows:subgrid;grid-row:span 3;
row-gap:0;align-content:start}
.highlights dt{font-weight:400;font-size:.85rem;color:var(--muted);max-width:none}
.highlights .value{font-size:1.4rem;line-height:1.25;font-weight:600;letter-spacing:-.01em;
font-variant-numeric:tabular-nums}
.highlights .detail{font-size:.85rem;color:var(--muted);margin-top:.25rem}
)css";

constexpr std::string_view kTablesAndFigures = R"css(
.table-box{overflow-x:auto;margin:0 0 1.75rem}
table{border-collapse:collapse;font-size:.875rem;line-height:1.4;font-variant-numeric:tabular-nums;min-width:min(100%,24rem)}
caption{text-align:left;color:var(--muted);padding:0 0 .5rem;font-size:.9rem}
caption>span{display:inline-block;position:sticky;left:0;max-width:calc(100vw - 2.5rem)}
th,td{padding:.4rem .6rem;text-align:left;font-weight:400;vertical-align:baseline;border-bottom:1px solid var(--rule)}
th:first-child,td:first-child{padding-left:.4rem}
thead th{font-weight:600;font-size:.85rem;color:var(--muted);border-bottom:1.5px solid var(--axis);vertical-align:bottom}
.num{text-align:right;white-space:nowrap}
.phrase{min-width:min(9rem,40vw)}
tbody th:not(.phrase){white-space:nowrap}
.dense{font-size:.8rem}
.dense th,.dense td{padding:.35rem .3rem}
.dense thead th{font-size:.75rem}
thead .num{white-space:normal}
tr.best>*{background:var(--best-row);font-weight:600}
tr.doubtful>*{color:var(--muted)}
tr.failed>*{color:var(--warning)}
tr.total>*{border-top:1.5px solid var(--axis);font-weight:600}
tr.best .sign{color:var(--c1)}
.csv{font-size:.78rem;letter-spacing:.03em;border:1px solid var(--rule);border-radius:4px;padding:.05rem .4rem;
text-decoration:none;margin-left:.4rem;white-space:nowrap}
.csv:hover{border-color:var(--link)}
.more{font-size:.85rem;color:var(--muted)}
figure{margin:0 0 2.5rem}
figcaption{margin:0 0 .75rem;max-width:46rem}
.chart-box{overflow-x:auto;padding-bottom:.25rem}
.chart{display:block;width:100%;min-width:41.25rem;max-width:50rem;height:auto}
figure .definition{font-size:.9rem;line-height:1.5;color:var(--muted);margin:.5rem 0 .5rem}
details{font-size:.9rem}
summary{cursor:pointer;color:var(--link);width:fit-content}
details .table-box{margin:.75rem 0}
.table-box:has(+details){margin-bottom:.5rem}
section>details{margin:0 0 1.75rem}
@media screen and (min-width:68rem){
figure{display:grid;grid-template-columns:minmax(0,50rem) minmax(14rem,1fr);column-gap:2rem}
figure>*{grid-column:1/-1}
figure>.chart-box{grid-column:1}
figure>.definition{grid-column:2;margin-top:2rem}
}
@media (min-width:100rem){
body{max-width:96rem}
.layout{display:grid;grid-template-columns:12rem minmax(0,1fr);gap:3rem}
nav ol{display:block;position:sticky;top:1.5rem;border-left:1px solid var(--rule);max-height:calc(100vh - 3rem);
overflow-y:auto}
nav li a{display:block;padding:.25rem 0 .25rem 1rem;line-height:1.35}
}
@media (max-width:36rem){
.page-header{padding:1.75rem 0 1.25rem;margin-bottom:1.5rem}
h1{font-size:1.6rem}
.chart{min-width:30rem}
.definitions{grid-template-columns:1fr;gap:.1rem}
.definitions dd{margin-bottom:.75rem}
}
)css";

// On paper: white background, folded parts open, and figures not split between pages. Long lists of a figure's numbers
// would fill most of the pages; they stay on the screen and in the CSV.
constexpr std::string_view kPrint = R"css(
@media print{
html{font-size:10.5pt}
body{max-width:none;padding:0}
.layout{display:block}
nav,.skip,.csv,summary{display:none}
details::details-content{content-visibility:visible;display:block;height:auto}
figure>details:has(tbody tr:nth-child(41))>*{display:none}
figure>details:has(tbody tr:nth-child(41))::after{content:"The numbers of this figure are in the page on the screen."}
pre{white-space:pre-wrap;overflow-wrap:anywhere}
.table-box,.chart-box{overflow:visible}
caption>span{max-width:none}
.chart{min-width:0;max-width:100%}
figure>figcaption,figure>.chart-box,figure>.definition,tr,.notice,.highlights,pre{break-inside:avoid}
figcaption,.chart-box,h2,caption,thead{break-after:avoid}
thead{display:table-header-group}
a{color:inherit;text-decoration:none}
}
)css";

}  // namespace

std::string page_style() {
  return fmt::format(
      ":root{{color-scheme:light dark;{}{}}}\n"
      "@media screen and (prefers-color-scheme:dark){{:root{{{}{}}}}}{}{}{}{}\n",
      light_colours(), kLightPage, dark_colours(), kDarkPage, kText, kTablesAndFigures, chart_style(), kPrint);
}

}  // namespace convoy::report
