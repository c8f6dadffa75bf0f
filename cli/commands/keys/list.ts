import { command } from '../../command.ts'
import type { SecretKey } from '../../records.ts'
import { moment } from '../../units.ts'

export default command({
  details:
    '\nLists the ids of the keys that encrypt secrets in the store. The keys themselves are never shown.',
  async run({ client, print }) {
    const service = await client()
    print.reply(await service.get<SecretKey[]>('/secret-keys'), (keys) =>
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
