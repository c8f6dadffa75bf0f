import type {
  BoundModel,
  FileObject,
  ModelConfig,
  NetworkConfig,
  VolumeConfig,
} from '../project.ts'
import type { Service } from '../service.ts'
import type { Extensions } from '../service-parts.ts'
import type { Path, Tree, TreeMap } from '../yaml/tree.ts'
import { emptyMap, isMap, mapAt, mapOf } from '../yaml/tree.ts'
import {
  always,
  boolean,
  type Form,
  integer,
  listOf,
  mapping,
  object,
  setBoolean,
  text,
  texts,
} from './bind-forms.ts'
import { service } from './bind-service.ts'
import { contentKey } from './resolve-environment.ts'

/**
 * Builds the model from a tree in long form: strings become sizes, durations, commands and numbers.
 * `bindOne` binds each resource.
 *
 * @throws Problem
 */
export function bind(tree: TreeMap, bindOne: BindOne = (form, value, path) => form(value, path)) {
  const all = (kind: string, form: Form) => {
    const bound = emptyMap<unknown>()
    for (const [name, value] of Object.entries(mapAt(tree, kind))) {
      bound[name] = bindOne(form, value ?? emptyMap<Tree>(), [kind, name])
    }
    return bound
  }
  return boundModel(tree, all)
}

/** Binds one resource. */
export type BindOne = (form: Form, value: Tree, path: Path) => unknown

function boundModel(
  tree: TreeMap,
  all: (kind: string, form: Form) => Record<string, unknown>,
): BoundModel {
  const extensions = Object.entries(tree).filter(([key]) => key.startsWith('x-'))
  return {
    services: all('services', service) as Record<string, Service>,
    networks: all('networks', network) as Record<string, NetworkConfig>,
    volumes: all('volumes', volume) as Record<string, VolumeConfig>,
    secrets: all('secrets', fileObject) as Record<string, FileObject>,
    configs: all('configs', fileObject) as Record<string, FileObject>,
    models: all('models', model) as Record<string, ModelConfig>,
    extensions: mapOf(extensions) as Extensions,
  }
}

const network = object(
  {
    name: text,
    driver: text,
    driver_opts: mapping,
    ipam: object({
      driver: text,
      config: listOf(
        object({ subnet: text, gateway: text, ip_range: text, aux_addresses: mapping }),
      ),
      options: mapping,
    }),
    external: boolean,
    internal: boolean,
    attachable: boolean,
    labels: mapping,
    enable_ipv4: setBoolean,
    enable_ipv6: setBoolean,
  },
  { ipam: {} },
)

const volume = object({
  name: text,
  driver: text,
  driver_opts: mapping,
  external: boolean,
  labels: mapping,
})

const fileForm = object({
  name: text,
  file: text,
  environment: text,
  content: always((value) => value),
  external: boolean,
  labels: mapping,
  driver: text,
  driver_opts: mapping,
  template_driver: text,
})

/** A value taken from an environment variable becomes ordinary content. */
const fileObject: typeof fileForm = (value, path) => {
  const content = isMap(value) ? value[contentKey] : undefined
  if (!isMap(value) || content === undefined) return fileForm(value, path)
  return fileForm(mapOf([...Object.entries(value), ['content', content]]), path)
}

const model = object({ name: text, model: text, context_size: integer, runtime_flags: texts })
