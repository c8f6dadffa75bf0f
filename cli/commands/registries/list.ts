import { command } from '../../command.ts'
import { moment } from '../../output/units.ts'

export default command({
  list: true,
  async run({ client, print }) {
    const service = await client()
    print.reply(await service.get('/registries'), (registries) =>
      print.table(registries, [
        { head: 'ADDRESS', text: (registry) => registry.address },
        { head: 'USERNAME', text: (registry) => registry.username },
        { head: 'CHANGED', text: (registry) => moment(registry.updated_at) },
      ]),
    )
  },
})
