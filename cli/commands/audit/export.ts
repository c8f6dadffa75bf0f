import { open } from 'node:fs/promises'
import { resolve } from 'node:path'
import { type Call, command } from '../../command.ts'
import { failed, wrongUsage } from '../../failure.ts'
import { sinceQuery } from '../../flags/log-flags.ts'

const ownFlags = {
  '--after <sequence>':
    'Only rows after this one; use the `seq` of the last line of the previous file',
  '--before <time>':
    'Only rows before this time: RFC 3339, seconds since the epoch, or a duration such as 90d',
} as const

export default command({
  args: '<file>',
  flags: ownFlags,
  details: `
Writes audit rows to a new file, one JSON object per line, oldest first, exactly as they are in the chain: the HMAC of
each row covers the row before it. Keep the file: 'cli audit trim' removes the rows that it contains.`,
  examples: ['cli audit export audit-2026.jsonl --before 90d'],
  run: exportRows,
})

async function exportRows({ args, flags, client, print, io }: Call<'<file>', typeof ownFlags>) {
  const before = sinceQuery(flags.before, Date.now(), '--before')
  checkSequence(flags.after)
  const service = await client()
  const path = resolve(io.cwd, args.file)
  const file = await open(path, 'wx', 0o600).catch((error: NodeJS.ErrnoException) => {
    throw failed(error.code === 'EEXIST' ? `${args.file} already exists` : error.message)
  })
  let after = flags.after
  let rows = 0
  try {
    for (;;) {
      const { value } = await service.get('/audit/export', {
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

function checkSequence(after: string | undefined): void {
  if (after === undefined || /^\d{1,15}$/.test(after)) return
  throw wrongUsage(`--after ${JSON.stringify(after)}: must be the sequence number of a row`)
}
