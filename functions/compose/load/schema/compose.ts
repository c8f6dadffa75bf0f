import type { Schema } from './forms.ts'
import {
  boolean,
  either,
  integer,
  list,
  listOrMapping,
  mapping,
  named,
  namedFreely,
  nullable,
  object,
  ref,
  string,
  stringOrList,
  strings,
} from './forms.ts'
import { service } from './service.ts'
import { deploy, external, options, serviceParts } from './service-parts.ts'

const network = object({
  name: string,
  driver: string,
  driver_opts: options,
  ipam: object({
    driver: string,
    config: list(
      object({ subnet: string, ip_range: string, gateway: string, aux_addresses: mapping(string) }),
    ),
    options: mapping({ type: ['string', 'number'] }),
  }),
  external,
  internal: boolean,
  attachable: boolean,
  enable_ipv4: boolean,
  enable_ipv6: boolean,
  labels: listOrMapping,
})

const volume = object({
  name: string,
  driver: string,
  driver_opts: options,
  external,
  labels: listOrMapping,
})

const secret = object({
  name: string,
  file: string,
  environment: string,
  external,
  labels: listOrMapping,
  driver: string,
  driver_opts: options,
  template_driver: string,
})

const config = object({
  name: string,
  file: string,
  environment: string,
  content: string,
  external,
  labels: listOrMapping,
  template_driver: string,
})

const include = object({ path: stringOrList, env_file: stringOrList, project_directory: string })

/** The schema of compose files. Source: the Compose specification. */
export const composeSchema: Schema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  ...object({
    version: { type: ['string', 'number'] },
    name: string,
    include: list(either(string, include)),
    services: named(ref('service')),
    models: namedFreely(
      object({ name: string, model: string, context_size: integer, runtime_flags: strings }),
    ),
    networks: namedFreely(nullable(network)),
    volumes: named(nullable(volume)),
    secrets: named(secret),
    configs: named(config),
  }),
  $defs: { service, deploy, ...serviceParts },
}
