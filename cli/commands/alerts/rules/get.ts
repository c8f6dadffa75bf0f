import { command } from '../../../command.ts'
import { printRule } from '../rules.ts'

export default command({
  args: '<rule>',
  details: '\nShows all settings of a rule, given by name or id.',
  examples: ['cli alerts rules get "disk is full"'],
  async run({ args, client, print }) {
    await printRule(await client(), args.rule, print)
  },
})
