import type { ResponseOf } from '../../api/endpoints.ts'
import { command } from '../../command.ts'
import { wrongUsage } from '../../failure.ts'
import { clean } from '../../output/text.ts'

type Source = ResponseOf<'GET', '/settings/sources'>[number]

const textOf = (value: Source['value']) => (Array.isArray(value) ? value.join(',') : String(value))

export default command({
  args: '[key]',
  details:
    '\nPrints the value of a setting. Without a key, lists all settings with their defaults, and which of them the\nconfiguration file or the environment sets.',
  examples: ['cli settings get auth.lockout_max_attempts'],
  async run({ args: { key }, client, print }) {
    const service = await client()
    const reply = await service.get('/settings/sources')
    if (key === undefined) {
      print.reply(reply, (found) => print.table(found, columns))
      return
    }
    const one = reply.value.find((setting) => setting.key === key)
    if (!one) throw wrongUsage(`there is no setting ${JSON.stringify(key)}`)
    print.reply(reply, () => print.line(clean(textOf(one.value))))
  },
})

const columns = [
  { head: 'SETTING', text: ({ key }: Source) => key },
  { head: 'VALUE', text: ({ value }: Source) => textOf(value) },
  { head: 'DEFAULT', text: (one: Source) => textOf(one.default) },
  { head: 'SET BY', text: ({ pinned }: Source) => (pinned ? 'configuration' : '-') },
]
