import { render } from "preact";
import { App } from "./app";
import { followTheme } from "./core/colors";
import { start } from "./core/model";
import { language } from "./core/text";
import "./tokens.css";
import "./style.css";
import { setToken } from "./core/http";
import { takeToken } from "./core/token";
import { followAddress } from "./core/view";

const showLanguage = () => {
  document.documentElement.lang = language.get() === "zh" ? "zh-CN" : "en";
};

async function main(): Promise<void> {
  followTheme();
  showLanguage();
  language.subscribe(showLanguage);
  setToken(await takeToken());
  followAddress();
  render(<App />, document.getElementById("app")!);
  void start();
}

void main();
