// Opens a Boogie program in code-server with the extension, under a headless Chromium, and looks at what is shown:
// diagnostics, how they go stale with an edit and come back, hovers, code lenses, the status bar. Each step leaves a
// picture.
//
// Usage: npm run look -- IVL VSIX PICTURES, with the program `ivl`, the packaged extension, and a folder for pictures.

import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { createServer } from "node:net";
import { chromium } from "playwright-core";

const [ivl, vsix, pictures] = process.argv.slice(2).map((it) => resolve(it));
if (pictures === undefined) {
  console.error("usage: npm run look -- IVL VSIX PICTURES");
  process.exit(2);
}
const BROWSER = process.env.CHROMIUM ?? "/usr/bin/chromium";
const LIMIT = 60_000;

/** The program: one procedure holds, one does not. */
const PROGRAM = `procedure Abs(x: int) returns (y: int)
  ensures y >= 0;
{
  if (x < 0) { y := -x; } else { y := x; }
}

procedure Wrong(x: int)
{
  assert x > 0;
}
`;

const folder = mkdtempSync(join(tmpdir(), "ivl-look-"));
const work = join(folder, "work");
mkdirSync(work);
mkdirSync(join(folder, "data/User"), { recursive: true });
mkdirSync(pictures, { recursive: true });
writeFileSync(join(work, "p.bpl"), PROGRAM);
writeFileSync(
  join(folder, "data/User/settings.json"),
  JSON.stringify({
    "ivl.path": ivl,
    "ivl.counterexample": true,
    "security.workspace.trust.enabled": false,
    "workbench.startupEditor": "none",
    "workbench.tips.enabled": false,
    "telemetry.telemetryLevel": "off",
    "editor.minimap.enabled": false,
    "editor.quickSuggestions": { other: "off", comments: "off", strings: "off" },
    "editor.autoIndent": "none",
  }),
);

/** A port that nobody listens on. */
function freePort() {
  return new Promise((done) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address();
      server.close(() => done(port));
    });
  });
}

const entry = resolve("node_modules/code-server/out/node/entry.js");
const folders = ["--user-data-dir", join(folder, "data"), "--extensions-dir", join(folder, "extensions")];
const environment = { ...process.env, REPRISE_CACHE_DIR: join(folder, "cache"), HOME: folder };

/** Runs code-server to its end. */
function install() {
  return new Promise((done, failed) => {
    const child = spawn(process.execPath, [entry, ...folders, "--install-extension", vsix], { env: environment });
    let said = "";
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (text) => (said += text));
    child.on("exit", (code) => (code === 0 ? done() : failed(new Error(said))));
  });
}

let server;
let browser;
let page;
let number = 0;
try {
  await install();
  const port = await freePort();
  const where = ["--bind-addr", `127.0.0.1:${port}`, "--auth", "none", "--disable-telemetry", "--disable-update-check"];
  server = spawn(process.execPath, [entry, ...folders, ...where, work], { env: environment, stdio: "ignore" });
  browser = await chromium.launch({ executablePath: BROWSER, args: ["--no-sandbox"] });
  page = await browser.newPage({ viewport: { width: 1200, height: 700 } });
  page.setDefaultTimeout(LIMIT);
  await open(page, ["http:", "", `127.0.0.1:${port}`, `?folder=${work}`].join("/"));

  const picture = async (name) => {
    number += 1;
    await page.screenshot({ path: join(pictures, `${number}-${name}.png`) });
    console.log(`ok ${number} ${name}`);
  };
  const squiggles = () => page.locator(".squiggly-error").count();
  const until = async (what, holds) => {
    const end = Date.now() + LIMIT;
    while (!(await holds())) {
      if (Date.now() > end) throw new Error(`not seen: ${what}`);
      await page.waitForTimeout(100);
    }
  };
  const shown = (text) => async () => (await page.getByText(text).count()) > 0;
  /** Puts the cursor at a place and types. */
  const edit = async (line, column, text) => {
    await page.keyboard.press("Control+g");
    await page.keyboard.type(`${line}:${column}`);
    await page.keyboard.press("Enter");
    await page.keyboard.type(text);
  };

  await page.locator(".explorer-folders-view .monaco-list-row", { hasText: "p.bpl" }).dblclick();
  await page.locator(".monaco-editor .view-line").first().waitFor();

  await until("an error at the wrong assertion", async () => (await squiggles()) === 1);
  await until("a code lens for the procedure that holds", shown(/verified/));
  await picture("diagnostics");

  await page.keyboard.press("Control+Shift+m");
  await until("the error among the problems", shown(/this assertion could not be proved|assertion/));
  await picture("problems");

  const name = page.locator(".view-line", { hasText: "procedure Abs" }).locator("span", { hasText: "Abs" }).last();
  await name.hover();
  await page.locator(".monaco-hover:not(.hidden)").first().waitFor();
  await picture("hover");
  await page.keyboard.press("Escape");

  await page.locator(".view-line", { hasText: "assert x" }).click();
  // While one types, what was found moves with the text and says that it is old.
  await edit(9, 3, "assume x > ");
  await until("the old error as such", shown(/before the last edit/));
  await picture("stale");
  await page.keyboard.type("3; ");
  await until("no error once the assertion holds", async () => (await squiggles()) === 0);
  const lenses = async () => (await page.locator(".codelens-decoration").allInnerTexts()).map((it) => it.trim());
  await until("code lenses for two that hold", async () => {
    const all = await lenses();
    return all.length === 2 && all.every((it) => /^verified/.test(it));
  });
  await picture("mended");

  await edit(9, 3, "havoc y; ");
  await until("an error of the text itself", async () => (await squiggles()) > 0);
  await until("a code lens that says so", async () => (await lenses()).some((it) => /since the last edit/.test(it)));
  await picture("undeclared");
  for (let at = 0; at < "havoc y; ".length; at += 1) await page.keyboard.press("Backspace");
  await until("no error again", async () => (await squiggles()) === 0);
  for (let at = 0; at < "assume x > 3; ".length; at += 1) await page.keyboard.press("Delete");
  await until("the first error again", async () => (await squiggles()) === 1);
  await until("a code lens for it", async () => (await lenses()).some((it) => /^not verified/.test(it)));
  await picture("back");
} catch (error) {
  await page?.screenshot({ path: join(pictures, "failed.png") });
  throw error;
} finally {
  await browser?.close();
  server?.kill();
  rmSync(folder, { recursive: true, force: true });
}

/** Opens a page once the server is there. */
async function open(page, address) {
  const end = Date.now() + LIMIT;
  for (;;) {
    try {
      await page.goto(address);
      await page.locator(".monaco-workbench").waitFor();
      return;
    } catch (error) {
      if (Date.now() > end) throw error;
      await page.waitForTimeout(200);
    }
  }
}
