import { command } from '../../command.ts'
import { detachFlag } from '../../flags/detach-flag.ts'
import { changeServices, servicesWith } from '../../stacks/change-services.ts'

export default command({
  args: '<name> [...services]',
  nameFromFolder: true,
  flags: detachFlag,
  progress: true,
  details: `
Pulls the images of services, or of all that have none to build, one after the other. Containers keep theirs until the
next deploy.`,
  examples: ['cli stacks pull shop', 'cli stacks pull shop web'],
  async run({ args: { name, services }, ...call }) {
    const all = services.length > 0 ? services : await servicesWith('image', name, call)
    if (all.length === 0) call.print.line('there is nothing to pull')
    else await changeServices('pull', { name, services: all }, call)
  },
})
