import { command } from '../../command.ts'

export default command({
  async run({ client, print }) {
    const service = await client()
    print.reply(await service.get('/settings'), (settings) =>
      print.table(Object.entries(settings), [
        { head: 'SETTING', text: ([key]) => key },
        {
          head: 'VALUE',
          text: ([, value]) => (Array.isArray(value) ? value.join(', ') : String(value)),
        },
      ]),
    )
  },
})
