/**
 * Differences in form between models of docker compose 2.26 and those of current versions. Models
 * that differ are both normalized and compared again. docs/contributing lists these forms by name,
 * each with its reason.
 */
export const oracleForms: Record<string, { reason: string; normalize(model: Json): void }> = {
  create_host_path: {
    reason: 'true is the default of every bind, so only false is written; 2.26 wrote only true',
    normalize: (model) => {
      for (const mount of childrenOf(model.services).flatMap((service) =>
        listAt(service, 'volumes'),
      )) {
        if (mount.type !== 'bind') continue
        const { create_host_path: _, ...bind } = isJson(mount.bind) ? mount.bind : {}
        mount.bind = bind
      }
    },
  },
  mode: {
    reason:
      'the mode of a secret or config is written in octal, such as "0440"; 2.26 wrote the number 288',
    normalize: (model) => {
      for (const service of childrenOf(model.services)) {
        const build = isJson(service.build) ? service.build : {}
        for (const file of [
          ...listAt(service, 'secrets'),
          ...listAt(service, 'configs'),
          ...listAt(build, 'secrets'),
        ]) {
          if (typeof file.mode === 'number') file.mode = `0${file.mode.toString(8)}`
        }
      }
    },
  },
  ipam_options: {
    reason: '2.26 drops the options of an address pool driver',
    normalize: (model) => {
      for (const { ipam } of childrenOf(model.networks)) if (isJson(ipam)) delete ipam.options
    },
  },
}

/** Returns a normalized copy of a model. */
export function normalized(model: unknown): unknown {
  const copy = JSON.parse(JSON.stringify(model))
  for (const { normalize: bring } of Object.values(oracleForms)) bring(copy)
  return copy
}

type Json = Record<string, unknown>

const isJson = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const childrenOf = (value: unknown): Json[] =>
  isJson(value) ? Object.values(value).filter(isJson) : []

const listAt = (value: Json, key: string): Json[] => {
  const list = value[key]
  return Array.isArray(list) ? list.filter(isJson) : []
}
