/* Upload form: accept a file dropped anywhere on it, show its size before it is sent, and keep it while the server is away:
   the form is sent again until the server answers. Without script the browser sends it. */
import { botName, fileSize } from "./text.js";
import { _ } from "./words.js";

const FIRST_PAUSE = 2000; // milliseconds before the second attempt; doubled after each
const LONGEST_PAUSE = 15_000;
const AWAY = new Set([502, 503, 504]); // answers of a proxy without its server

class Upload {
  timer = null;

  constructor(form) {
    const $ = (selector) => form.querySelector(selector);
    Object.assign(this, { form, zone: $("[data-dropzone]"), picker: $("input[type=file]"), said: $("[data-chosen]"), button: $("button.primary") });
    for (const kind of ["dragover", "dragenter"]) form.addEventListener(kind, (event) => this.#over(event));
    form.addEventListener("dragleave", (event) => { if (!form.contains(event.relatedTarget)) this.zone.classList.remove("over"); });
    form.addEventListener("drop", (event) => this.#drop(event));
    form.addEventListener("submit", (event) => { event.preventDefault(); this.send(); });
    this.zone.addEventListener("click", (event) => { if (event.target !== this.picker) this.picker.click(); });
    this.picker.addEventListener("change", () => this.show());
  }

  /** Show the chosen file; a new choice ends the attempts to send the one before. */
  show() {
    clearTimeout(this.timer);
    this.kept = null;
    const file = this.picker.files[0];
    const limit = Number(this.form.dataset.limit);
    const large = file && file.size > limit;
    this.#say(!file ? "" : large
      ? _("%(file)s is too large: %(size)s; the limit is %(limit)s.", { file: file.name, size: fileSize(file.size), limit: fileSize(limit) })
      : _("Ready to upload: %(file)s, %(size)s.", { file: file.name, size: fileSize(file.size) }), large);
    this.picker.setAttribute("aria-invalid", String(Boolean(large)));
    const { name } = this.form.elements;
    if (file && name instanceof HTMLInputElement && !name.value) name.value = botName(file.name);
  }

  #say(text, wrong = false) {
    this.said.className = wrong ? "error" : "help";
    this.said.textContent = text;
  }

  #over(event) {
    if (!carriesFile(event)) return;
    event.preventDefault();
    this.zone.classList.add("over");
  }

  #drop(event) {
    if (!carriesFile(event)) return;
    event.preventDefault();
    this.zone.classList.remove("over");
    this.picker.files = event.dataTransfer.files;
    this.show();
  }

  /** Send the form, again after a pause if the server does not answer. */
  async send(pause = FIRST_PAUSE) {
    clearTimeout(this.timer);
    this.button.disabled = true;
    const answer = await this.#post();
    this.button.disabled = false;
    if (answer) this.#answered(answer.url, answer.redirected, await answer.text());
    else {
      this.#say(_("The server does not answer. Nothing is lost: this page tries again by itself."), true);
      this.timer = setTimeout(() => this.send(Math.min(2 * pause, LONGEST_PAUSE)), pause);
    }
  }

  /** Return the answer; null if the server is away. */
  async #post() {
    try {
      const answer = await fetch(this.form.action, { method: "POST", body: await this.#body(), headers: { Accept: "text/html" } });
      return AWAY.has(answer.status) ? null : answer;
    } catch {
      return null;
    }
  }

  /** The fields, with a copy of the file, because a file that changes on the disk cannot be sent. */
  async #body() {
    const fields = new FormData(this.form);
    const file = this.picker.files[0];
    if (file) fields.set(this.picker.name, new File([this.kept ??= await file.arrayBuffer()], file.name, { type: file.type }));
    return fields;
  }

  #answered(url, redirected, text) {
    if (redirected) { location.assign(url); return; }
    const page = new DOMParser().parseFromString(text, "text/html");
    const refused = page.querySelector("form[data-upload]");
    if (refused) this.#replace(document.adoptNode(refused));
    else this.#say(page.querySelector("main")?.textContent.trim().replace(/\s+/g, " ") || _("The server refused the upload."), true);
  }

  /** Show the refused form, with the chosen file unless the form has its text, to be corrected there. */
  #replace(form) {
    const { files } = this.picker;
    this.form.replaceWith(form);
    form.dispatchEvent(new CustomEvent("htmx:afterSwap", { bubbles: true })); // local times, as in any part that is replaced
    const next = new Upload(form);
    if (!form.elements.source.value) next.picker.files = files;
    next.show();
    form.querySelector("[aria-invalid=true], [role=alert]")?.scrollIntoView({ block: "center" });
  }
}

const carriesFile = (event) => event.dataTransfer?.types.includes("Files");

const upload = new Upload(document.querySelector("form[data-upload]"));
addEventListener("pageshow", () => upload.show());
