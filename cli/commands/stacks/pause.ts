import { command } from '../../command.ts'
import { detachFlag } from '../../flags/detach-flag.ts'
import { changeServices } from '../../stacks/change-services.ts'

export default command({
  args: '<name> <...services>',
  flags: detachFlag,
  progress: true,
  details: `
Freezes the processes of services until \`cli stacks unpause\`. Several services follow one after the other.`,
  examples: ['cli stacks pause shop web'],
  run: ({ args, ...call }) => changeServices('pause', args, call),
})
