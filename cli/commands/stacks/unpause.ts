import { command } from '../../command.ts'
import { detachFlag } from '../../flags/detach-flag.ts'
import { changeServices } from '../../stacks/change-services.ts'

export default command({
  args: '<name> <...services>',
  flags: detachFlag,
  progress: true,
  details: `
Lets paused services continue. Several services follow one after the other.`,
  examples: ['cli stacks unpause shop web'],
  run: ({ args, ...call }) => changeServices('unpause', args, call),
})
