import { command } from '../../command.ts'
import { detachFlag } from '../../flags/detach-flag.ts'
import { changeServices, servicesWith } from '../../stacks/change-services.ts'

export default command({
  args: '<name> [...services]',
  nameFromFolder: true,
  flags: {
    '--no-cache': 'Run each instruction again instead of using earlier results',
    ...detachFlag,
  },
  progress: true,
  details: `
Builds the images of the named services, or of all that have a build section, one after the other. Containers keep
their image until the next deploy. Arguments of a build come from the compose file.`,
  examples: ['cli stacks build shop', 'cli stacks build shop web --no-cache'],
  async run({ args: { name, services }, ...call }) {
    const all = services.length > 0 ? services : await servicesWith('build', name, call)
    const body = { no_cache: call.flags.noCache || undefined }
    if (all.length === 0) call.print.line('there is nothing to build')
    else await changeServices('build', { name, services: all }, call, body)
  },
})
