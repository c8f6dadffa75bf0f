import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { type Call, command } from '../../command.ts'
import { failed } from '../../failure.ts'
import { confirmation, yesFlag } from '../../prompt.ts'

export default command({
  args: '<file>',
  flags: yesFlag,
  details: `
Removes the audit rows up to the last one in a file that 'cli audit export' wrote. The service verifies them first and
refuses if one was changed. 'cli audit verify' then starts at a signed checkpoint.`,
  examples: ['cli audit trim audit-2026.jsonl'],
  run: trim,
})

async function trim({ args, flags, client, print, io }: Call<'<file>', typeof yesFlag>) {
  const confirm = confirmation(io, flags)
  const text = await readFile(resolve(io.cwd, args.file), 'utf8').catch((error: Error) => {
    throw failed(error.message)
  })
  const last = parseLastRow(text)
  if (!last) throw failed(`${args.file}: the last line is not an exported audit row`)
  const service = await client()
  await confirm(`Remove the audit rows up to ${last.seq}?`)
  const body = { sequence: last.seq, mac: last.mac }
  const reply = await service.post('/audit/trim', { body, timeout: 0 })
  print.reply(reply, ({ removed, sequence }) =>
    print.line(
      removed > 0 ? `${removed} audit rows removed, up to ${sequence}` : 'nothing to remove',
    ),
  )
}

function parseLastRow(text: string): { seq: number; mac: string } | undefined {
  try {
    const row = JSON.parse(text.trimEnd().split('\n').at(-1) ?? '')
    return Number.isSafeInteger(row?.seq) && typeof row.mac === 'string' ? row : undefined
  } catch {
    return undefined
  }
}
