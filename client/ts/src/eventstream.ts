/** An event of a stream of server-sent events. */
export interface StreamEvent {
  id?: string;
  type: string;
  data: string;
}

/** Parses a stream of server-sent events. */
export class EventStreamParser {
  /** How long to wait before connecting again, in milliseconds. */
  retry = 2000;

  /** The events of a response. One without data sets the id of the stream only. */
  async *events(response: Response): AsyncGenerator<StreamEvent, void, undefined> {
    const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
    let rest = '';
    let event: StreamEvent = { type: 'message', data: '' };
    try {
      for (;;) {
        const { done, value } = await reader.read();
        if (done) return;
        const lines = (rest + value).split(/\r\n|\n|\r(?!$)/);
        rest = lines.pop()!;
        for (const line of lines) {
          if (line === '') {
            if (event.data !== '' || event.id !== undefined) yield event;
            event = { type: 'message', data: '' };
          } else {
            this.field(event, line);
          }
        }
      }
    } finally {
      await reader.cancel().catch(() => {});
    }
  }

  private field(event: StreamEvent, line: string): void {
    const colon = line.indexOf(':');
    const name = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '');
    switch (name) {
      case 'id': event.id = value; break;
      case 'event': event.type = value; break;
      case 'data': event.data += event.data === '' ? value : `\n${value}`; break;
      case 'retry': if (/^\d+$/.test(value)) this.retry = Number(value);
    }
  }
}
