// Typesets formulas with KaTeX or MathJax: reads {engine, formulas} from standard input, writes {html, css} to standard output.
"use strict";
const job = JSON.parse(require("fs").readFileSync(0, "utf8"));
const path = require("path");

function withKatex(formulas) {
  const katex = require("katex");
  const folder = path.dirname(require.resolve("katex/package.json"));
  const html = formulas.map((f) => katex.renderToString(f.latex, { displayMode: f.display, throwOnError: true, strict: false }));
  return { html, head: `<link rel="stylesheet" href="file://${folder}/dist/katex.min.css">` };
}

function withMathJax(formulas, kind) {
  const { mathjax } = require("mathjax-full/js/mathjax.js");
  const { TeX } = require("mathjax-full/js/input/tex.js");
  const { CHTML } = require("mathjax-full/js/output/chtml.js");
  const { SVG } = require("mathjax-full/js/output/svg.js");
  const { liteAdaptor } = require("mathjax-full/js/adaptors/liteAdaptor.js");
  const { RegisterHTMLHandler } = require("mathjax-full/js/handlers/html.js");
  require("mathjax-full/js/input/tex/AllPackages.js");
  const folder = path.dirname(require.resolve("mathjax-full/package.json"));
  const adaptor = liteAdaptor();
  RegisterHTMLHandler(adaptor);
  const fontURL = `file://${folder}/es5/output/chtml/fonts/woff-v2`;
  const output = kind === "svg" ? new SVG({ fontCache: "none" }) : new CHTML({ fontURL });
  const page = mathjax.document("", { InputJax: new TeX({ packages: ["base", "ams"] }), OutputJax: output });
  const html = formulas.map((f) => adaptor.outerHTML(page.convert(f.latex, { display: f.display, em: 16, ex: 8, containerWidth: 640 })));
  return { html, head: `<style>${adaptor.textContent(output.styleSheet(page))}</style>` };
}

const result = job.engine === "katex" ? withKatex(job.formulas) : withMathJax(job.formulas, job.engine);
process.stdout.write(JSON.stringify(result));
