import { command } from '../../command.ts'
import { detachFlag } from '../../flags/detach-flag.ts'
import { changeServices } from '../../stacks/change-services.ts'

export default command({
  args: '<name> <...services>',
  flags: detachFlag,
  progress: true,
  details: `
Starts the containers of services and of their dependencies, in dependency order. Creates none: \`cli stacks deploy\`
does. Several services follow one after the other.`,
  examples: ['cli stacks start shop web'],
  run: ({ args, ...call }) => changeServices('start', args, call),
})
