// Server-sent events from the body of a reply: EventSource can only GET, and a question may be long.

export async function* readEvents(body) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let held = "";
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    held += value;
    for (let end = held.indexOf("\n\n"); end >= 0; end = held.indexOf("\n\n")) {
      const event = parsed(held.slice(0, end));
      held = held.slice(end + 2);
      if (event) yield event;
    }
  }
}

function parsed(block) {
  let name = "message";
  const lines = [];
  for (const line of block.split("\n")) {
    if (line.startsWith("event: ")) name = line.slice(7);
    if (line.startsWith("data: ")) lines.push(line.slice(6));
  }
  return lines.length ? { name, data: JSON.parse(lines.join("\n")) } : null;
}
