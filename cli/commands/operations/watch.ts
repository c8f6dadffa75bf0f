import { command } from '../../command.ts'
import { operationEnd, requireSuccess } from '../../follow/operation.ts'
import { findOperation } from '../../resolve/find.ts'
import { showOperation } from './get.ts'

export default command({
  args: '<operation>',
  progress: true,
  details: `
Waits until an operation ends, and shows it as \`cli operations get\` does. Exits with 1 if it did not succeed. An
interrupt ends the waiting, not the operation.`,
  examples: ['cli operations watch 01978f00'],
  fields: { id: '<operation>' },
  async run({ args: { operation }, client, print, io }) {
    const service = await client()
    const id = await findOperation(service, operation)
    const now = await service.get('/operations/{id}', { path: { id } })
    const ended = await operationEnd(now, { client: service, print, io })
    print.reply(ended, (found) => showOperation(found, print))
    requireSuccess(ended.value)
  },
})
