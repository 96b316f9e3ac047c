// Finds the token: in the address' fragment, in this tab's storage, or in another open tab.

const key = `sightline.token:${location.pathname}`;
const channelName = `sightline.token:${location.origin}${location.pathname}`;

function keep(token: string): void {
  try {
    sessionStorage.setItem(key, token);
  } catch {
    // Without storage the token lasts until the page is left.
  }
}

function kept(): string {
  try {
    return sessionStorage.getItem(key) ?? "";
  } catch {
    return "";
  }
}

function answerOthers(token: string): void {
  if (typeof BroadcastChannel === "undefined") return;
  const channel = new BroadcastChannel(channelName);
  channel.onmessage = (message) => {
    if (message.data === "token?") channel.postMessage({ token });
  };
}

/** Asks other open tabs of the same server. Gives up soon, since there may be none. */
function askOthers(): Promise<string> {
  if (typeof BroadcastChannel === "undefined") return Promise.resolve("");
  return new Promise((resolve) => {
    const channel = new BroadcastChannel(channelName);
    const end = (token: string) => {
      channel.close();
      resolve(token);
    };
    channel.onmessage = (message) => {
      const token: unknown = (message.data as { token?: unknown } | null)?.token;
      if (typeof token === "string" && token !== "") end(token);
    };
    channel.postMessage("token?");
    setTimeout(() => end(""), 200);
  });
}

/**
 * The token, removed from the address so that no copied link or history holds it. "" if there is
 * none.
 */
export async function takeToken(): Promise<string> {
  const fragment = /^#(?:(.*)&)?token=([^&]+)(?:&(.*))?$/.exec(location.hash);
  let token = "";
  if (fragment) {
    token = decodeURIComponent(fragment[2]!);
    const rest = [fragment[1], fragment[3]].filter(Boolean).join("&");
    history.replaceState(null, "", location.pathname + location.search + (rest ? `#${rest}` : ""));
  } else {
    token = kept() || (await askOthers());
  }
  if (token !== "") {
    keep(token);
    answerOthers(token);
  }
  return token;
}
