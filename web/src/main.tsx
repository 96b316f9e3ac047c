import { render } from "preact";
import * as api from "./api";
import { App } from "./app";
import { followTheme } from "./colors";
import { start } from "./model";
import { language } from "./text";
import "./tokens.css";
import "./style.css";
import { takeToken } from "./token";
import { followAddress } from "./view";

const showLanguage = () => {
  document.documentElement.lang = language.get() === "zh" ? "zh-CN" : "en";
};

async function main(): Promise<void> {
  followTheme();
  showLanguage();
  language.subscribe(showLanguage);
  api.setToken(await takeToken());
  followAddress();
  render(<App />, document.getElementById("app")!);
  void start();
}

void main();
