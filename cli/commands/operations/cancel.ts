import { command } from '../../command.ts'
import { operationWork } from '../../output/operation-words.ts'
import { findOperation } from '../../resolve/find.ts'

export default command({
  args: '<operation>',
  details: `
Cancels a pull of an image or a verification of a backup that was started with --detach, or a pause of the service. It
ends as \`interrupted\` about a second later. Other operations cannot be cancelled; \`cli stacks cancel\` cancels a
deployment.`,
  examples: ['cli operations cancel 01978f00'],
  fields: { id: '<operation>' },
  async run({ args: { operation }, client, print }) {
    const service = await client()
    const id = await findOperation(service, operation)
    const reply = await service.post('/operations/{id}/cancel', { path: { id } })
    print.reply(reply, (found) => {
      print.line(`${operationWork(found)} is being cancelled`)
      print.note(`follow it: cli operations watch ${found.id}`)
    })
  },
})
