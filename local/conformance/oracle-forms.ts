/**
 * Where docker compose 2.26 writes the same thing in another form than the current one. Both sides are brought into one
 * form before they are compared. docs/compose.md lists them by their names, each with its reason.
 */
export const oracleForms: Record<string, { reason: string; bring(service: Json): void }> = {
  create_host_path: {
    reason: 'true is the default of every bind, and no longer written',
    bring: (service) => {
      for (const mount of listAt(service, 'volumes')) {
        if (mount.type !== 'bind') continue
        const bind = isJson(mount.bind) ? mount.bind : {}
        if (bind.create_host_path === true) delete bind.create_host_path
        mount.bind = bind
      }
    },
  },
  mode: {
    reason:
      'the mode of a secret or config is written in octal now, as "0440"; it was the number 288',
    bring: (service) => {
      const build = isJson(service.build) ? service.build : {}
      for (const file of [
        ...listAt(service, 'secrets'),
        ...listAt(service, 'configs'),
        ...listAt(build, 'secrets'),
      ]) {
        if (typeof file.mode === 'number') file.mode = `0${file.mode.toString(8)}`
      }
    },
  },
}

/** Brings a model into the form in which it is compared. Changes nothing of the one that is given. */
export function comparable(model: unknown): unknown {
  const copy = JSON.parse(JSON.stringify(model))
  for (const service of Object.values(isJson(copy.services) ? copy.services : {})) {
    if (isJson(service)) for (const { bring } of Object.values(oracleForms)) bring(service)
  }
  return copy
}

type Json = Record<string, unknown>

const isJson = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const listAt = (value: Json, key: string): Json[] => {
  const list = value[key]
  return Array.isArray(list) ? list.filter(isJson) : []
}
