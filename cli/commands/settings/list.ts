import { command } from '../../command.ts'
import type { Settings } from '../../records.ts'

export default command({
  async run({ client, print }) {
    const service = await client()
    print.reply(await service.get<Settings>('/settings'), (settings) =>
      print.table(Object.entries(settings), [
        { head: 'SETTING', text: ([key]) => key },
        { head: 'VALUE', text: ([, value]) => (Array.isArray(value) ? value.join(', ') : value) },
      ]),
    )
  },
})
