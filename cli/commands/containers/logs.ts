import { command } from '../../command.ts'
import { path } from '../../http.ts'
import { logFlags, logQuery } from '../../log-flags.ts'
import type { LogLine } from '../../records.ts'
import { logLine } from '../../text.ts'

export default command({
  args: '<container>',
  flags: logFlags,
  details: '\nBy id or name. What the container wrote to standard error goes to standard error.',
  async run({ args, flags, client, print, io }) {
    const query = { host: flags.host, ...logQuery(flags, Date.now()) }
    const service = await client()
    const reply = await service.get<LogLine[]>(path`/containers/${args.container}/logs`, { query })
    print.reply(reply, (lines) => {
      for (const { stream, line } of lines) {
        const out = stream === 'stderr' ? io.stderr : io.stdout
        out.write(`${out.isTTY ? logLine(line) : line}\n`)
      }
    })
  },
})
