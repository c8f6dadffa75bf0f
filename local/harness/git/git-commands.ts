import type { IncomingMessage } from 'node:http'
import { gunzipSync } from 'node:zlib'

/** What git asks a server for, which goes on answering. */
export interface GitCommands {
  /** Those of protocol 2 in their order, such as `ls-refs` and `fetch`. */
  seen: string[]
  /** For the server: notes the command of a request, and leaves the response to git. */
  instead(request: IncomingMessage): false
}

/** Returns a list of the commands that a server gets. */
export function gitCommands(): GitCommands {
  const seen: string[] = []
  return {
    seen,
    instead(request) {
      const chunks: Buffer[] = []
      request.on('data', (chunk: Buffer) => chunks.push(chunk))
      request.on('end', () => {
        const sent = Buffer.concat(chunks)
        // git compresses long requests.
        const isPacked = request.headers['content-encoding'] === 'gzip'
        const text = (isPacked ? gunzipSync(sent) : sent).toString('latin1')
        const [, command] = /^[0-9a-f]{4}command=([a-z-]+)/.exec(text) ?? []
        if (command !== undefined) seen.push(command)
      })
      return false
    },
  }
}
