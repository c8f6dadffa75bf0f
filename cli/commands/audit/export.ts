import { open } from 'node:fs/promises'
import { resolve } from 'node:path'
import { type Call, command } from '../../command.ts'
import { failed } from '../../failure.ts'
import { sinceQuery } from '../../log-flags.ts'
import type { AuditLink } from '../../records.ts'

const ownFlags = {
  '--after <sequence>': 'Only rows after this one: the `seq` of the last line of an earlier file',
  '--before <time>': 'Only rows before this time: RFC 3339, seconds since the epoch, or as in 90d',
} as const

export default command({
  args: '<file>',
  flags: ownFlags,
  details: `
Writes the rows to a new file, one JSON object per line, oldest first, as they stand in the chain: the HMAC of a row
covers the row before it. Keep the file: 'cli audit trim' removes the rows that it holds.`,
  examples: ['cli audit export audit-2026.jsonl --before 90d'],
  run: exportRows,
})

async function exportRows({ args, flags, client, print, io }: Call<'<file>', typeof ownFlags>) {
  const service = await client()
  const before = sinceQuery(flags.before, Date.now())
  const path = resolve(io.cwd, args.file)
  const file = await open(path, 'wx', 0o600).catch((error: NodeJS.ErrnoException) => {
    throw failed(error.code === 'EEXIST' ? `${args.file} exists already` : error.message)
  })
  let after = flags.after
  let rows = 0
  try {
    for (;;) {
      const { value } = await service.get<AuditLink[]>('/audit/export', {
        query: { after, before },
      })
      const last = value.at(-1)
      if (!last) break
      await file.writeFile(value.map((row) => `${JSON.stringify(row)}\n`).join(''))
      rows += value.length
      after = String(last.seq)
    }
    await file.sync()
  } finally {
    await file.close()
  }
  print.line(`${rows} audit rows written to ${args.file}`)
}
