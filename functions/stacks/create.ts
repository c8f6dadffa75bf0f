import { conflict } from '../core/errors.ts'
import { targetHost } from '../core/hosts/target.ts'
import { refuseReservedStack } from '../core/owners/reserved-names.ts'
import type { Needs } from '../core/ports/ports.ts'
import { newFiles } from '../core/stacks/change-files.ts'
import { changeRightsOf } from '../core/stacks/check-change.ts'
import { checkNewDirectory } from '../core/stacks/foreign-files.ts'
import type { LoadPorts } from '../core/stacks/load-project.ts'
import { type SetPorts, takeSets } from '../core/stacks/taken-sets.ts'
import { stackState } from '../core/states/stack-state.ts'
import { endpoint } from '../kit/endpoint.ts'
import { created, createdHeaders } from '../kit/location.ts'
import { patchOf } from './files/patch.ts'
import { NewStack, Stack } from './schema.ts'
import { requireTaking } from './shared-variables.ts'
import { unsentDataOf } from './unsent-data.ts'
import { stackView } from './view.ts'

const megabyte = 1024 * 1024

export default endpoint({
  summary: 'Create a stack',
  description:
    'Saves a compose project under a name, with the files that it refers to. Nothing is deployed yet.',
  access: 'stacks:create',
  // The directory is one of the host, as the service knows it.
  atService: true,
  body: NewStack,
  bodyLimit: 4 * megabyte,
  returns: Stack,
  status: 201,
  responseHeaders: createdHeaders,
  errors: {
    403: 'The files, the name, or files of others in the directory need stacks:privileged, or `shared_variables` needs stacks:secrets',
    404: 'No host has that id or name',
    409: 'A stack with that name exists, or one has the directory',
    422: 'The files do not load, are too large, or cannot be one directory, or there is no such set of variables for the host',
  },

  async run({ body, caller }, ports: Ports) {
    requireTaking(body, caller)
    const host = await targetHost(body.host, caller, ports)
    const directory = `${host.stacksDirectory}/${body.name}`
    const place = { id: body.name, hostId: host.id, directory }
    const rights = changeRightsOf(caller)
    refuseReservedStack(body.name, rights.reach)
    const foreign = await checkNewDirectory(place, caller, ports)
    const shared = await takeSets(body.shared_variables ?? [], host.id, ports)
    const given = { patch: patchOf(body, {}), shared }
    const checked = await newFiles(place, body.compose, given, rights, ports)
    const now = ports.clock.now()
    const stack = {
      ...place,
      adopted: false,
      ...checked,
      ...foreign,
      ...unsentDataOf(body),
      environment: null,
      contentRevision: 1,
      written: null,
      keptVolumes: {},
      last: null,
      deployed: false,
      createdAt: now,
      updatedAt: now,
      deployedAt: null,
    }
    if (!(await ports.stacks.create(stack))) {
      throw conflict(`stack ${body.name}: a stack with that name exists`, { reason: 'exists' })
    }
    const state = stackState(stack, { containers: new Map(), engine: null })
    return created(
      stackView(stack, state, () => host.name),
      'stacks',
      stack.id,
    )
  },
})

type Ports = LoadPorts & SetPorts & Needs<'clock' | 'engines' | 'owners' | 'stacks' | 'texts'>
