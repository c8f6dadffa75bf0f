import { command } from '../../command.ts'
import type { Registry } from '../../records.ts'
import { moment } from '../../units.ts'

export default command({
  async run({ client, print }) {
    const service = await client()
    print.reply(await service.get<Registry[]>('/registries'), (registries) =>
      print.table(registries, [
        { head: 'ADDRESS', text: (registry) => registry.address },
        { head: 'USERNAME', text: (registry) => registry.username },
        { head: 'CHANGED', text: (registry) => moment(registry.updated_at) },
      ]),
    )
  },
})
