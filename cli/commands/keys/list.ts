import type { SecretKey } from '../../api/types.ts'
import { command } from '../../command.ts'
import { moment } from '../../output/units.ts'

export default command({
  list: true,
  details:
    '\nLists the ids of the keys that encrypt secrets in the store. The keys themselves are never shown.',
  async run({ client, print }) {
    const service = await client()
    print.reply(await service.get('/secret-keys'), (keys) =>
      print.table(keys, [
        { head: 'ID', text: (key) => key.id },
        { head: 'STATE', text: stateOf },
        { head: 'FROM', text: (key) => key.source },
        { head: 'CREATED', text: (key) => moment(key.created_at) },
      ]),
    )
  },
})

function stateOf({ current, in_use }: SecretKey): string {
  if (current) return 'current'
  return in_use ? 'in use' : 'unused'
}
