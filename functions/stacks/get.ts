import { hostNames } from '../core/hosts/host-names.ts'
import type { Needs } from '../core/ports/ports.ts'
import { buildWarnings } from '../core/stacks/build-warnings.ts'
import { driftOf } from '../core/stacks/drift.ts'
import type { LoadPorts } from '../core/stacks/load-project.ts'
import { policyWarnings } from '../core/stacks/policy-warnings.ts'
import { shownFiles } from '../core/stacks/shown-files.ts'
import { getStack } from '../core/stacks/stack-record.ts'
import { type SetPorts, setChanges } from '../core/stacks/taken-sets.ts'
import { allFiles, readTexts } from '../core/stacks/texts.ts'
import type { ObservePorts } from '../core/states/observe-host.ts'
import { stackStateOf } from '../core/states/stack-states.ts'
import { endpoint } from '../kit/endpoint.ts'
import { versioned } from '../kit/reply.ts'
import { stackEdition } from './edition.ts'
import { lastUpdateView } from './last-update-view.ts'
import { StackDetails, StackPath } from './schema.ts'
import { bindingView } from './source-view.ts'
import { stackView } from './view.ts'

export default endpoint({
  summary: 'Show a stack and its files',
  access: 'stacks:read',
  atService: true,
  path: StackPath,
  returns: StackDetails,
  readsSecrets: true,
  errors: { 404: 'No stack has that name' },

  async run(
    { path, caller, note },
    ports: Needs<'clock' | 'stacks' | 'sources' | 'texts'> & SetPorts & ObservePorts & LoadPorts,
  ) {
    const stack = await getStack(path.name, ports)
    const [texts, all, state, drift, builds, source] = await Promise.all([
      readTexts(stack.files, ports),
      allFiles(stack.files, stack, ports),
      stackStateOf(stack, ports),
      driftOf(stack, ports),
      buildWarnings(stack, ports),
      stack.source && ports.sources.find(stack.source.source),
    ])
    const readsSecrets = caller.permissions.has('stacks:secrets')
    if (readsSecrets && texts.env) note({ secretRead: { path: '.env' } })
    const details = {
      ...stackView(stack, state, await hostNames(ports), await setChanges([stack], ports)),
      saved_by: stack.files.savedBy?.at(-1)?.name ?? null,
      compose: texts.compose,
      env: readsSecrets ? texts.env : null,
      overlays: texts.overlays,
      files: shownFiles(all, stack, readsSecrets),
      drift,
      warnings: [...policyWarnings(stack), ...builds],
      last_update: lastUpdateView(stack, ports.clock.now()),
      source: stack.source ? bindingView(stack.source, source, caller) : null,
    }
    return versioned(details, stackEdition(stack))
  },
})
