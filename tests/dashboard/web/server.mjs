// The program as a server, for journeys in any browser.
import { spawn } from "node:child_process";

export const patience = 60000;

/** Starts a server; its address is in what it prints. */
export function serve(program, root, port = "0") {
  const server = spawn(program, ["serve", root, "--port", port, "--allow-write"], { stdio: ["ignore", "pipe", "pipe"] });
  let printed = "";
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`the server printed no address: ${printed}`)), patience);
    const read = (chunk) => {
      printed += chunk;
      const address = /http:\/\/\S+#token=[^\s]+/.exec(printed);
      if (!address) return;
      clearTimeout(timer);
      resolve({ server, address: address[0] });
    };
    server.stdout.on("data", read);
    server.stderr.on("data", read);
    server.on("exit", (code) => reject(new Error(`the server ended with ${code}: ${printed}`)));
  });
}

export async function end(server) {
  server.removeAllListeners("exit");
  const ended = new Promise((resolve) => server.once("exit", resolve));
  server.kill();
  await ended;
}
