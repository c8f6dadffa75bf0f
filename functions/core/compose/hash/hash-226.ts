import type { Service } from '../service.ts'
import type { VolumeMount } from '../service-parts.ts'
import { object } from './hash-fields.ts'
import { serviceFields226 } from './hash-service.ts'

/** A service as Compose 2.26 may have read it. */
export type Service226 = Omit<Service, 'volumes' | 'secrets' | 'configs'> & Record<string, unknown>

/** More mounts than this are taken to be written in one form: each doubles the number of hashes. */
const mixedMountsMax = 6

/**
 * Every way in which Compose 2.26 may have read a service of ours. There a bind said that its host path is created when it was written
 * in the short form, and not when in the long one; a mode was a number, which a quoted one became by its decimal digits.
 */
export function forms226(service: Service): Service226[] {
  const volumes = service.volumes ? mountForms(service.volumes) : [undefined]
  const files = [...(service.secrets ?? []), ...(service.configs ?? [])]
  const radixes = files.some(({ mode }) => mode !== undefined) ? [8, 10] : [8]
  return volumes.flatMap((mounts) =>
    radixes.map((radix) => ({
      ...service,
      volumes: mounts,
      secrets: service.secrets?.map((file) => withNumericMode(file, radix)),
      configs: service.configs?.map((file) => withNumericMode(file, radix)),
    })),
  )
}

/** The JSON text that the hash of 2.26 was taken over: with dependencies and profiles. */
export const preimage226 = (service: Service226): string => object(serviceFields226, service)

/** Binds with options of their own are told apart one by one, the plain ones together. */
function mountForms(mounts: readonly VolumeMount[]): unknown[][] {
  const mixed = mounts.filter(hasOptions)
  const subsets = mixed.length > mixedMountsMax ? [0, -1] : [...Array(2 ** mixed.length).keys()]
  return subsets.flatMap((subset) =>
    [true, false].map((plain) =>
      mounts.map((mount) => {
        const said = hasOptions(mount) ? ((subset >> mixed.indexOf(mount)) & 1) === 0 : plain
        return said ? withSaidHostPath(mount) : withoutHostPath(mount)
      }),
    ),
  )
}

const hasOptions = ({ bind }: VolumeMount) =>
  (bind?.propagation ?? bind?.selinux ?? bind?.recursive) !== undefined

function withSaidHostPath(mount: VolumeMount): unknown {
  if (!mount.bind || mount.bind.create_host_path === false) return withoutHostPath(mount)
  return { ...mount, bind: { ...mount.bind, create_host_path: true } }
}

function withoutHostPath(mount: VolumeMount): unknown {
  if (!mount.bind) return mount
  const { create_host_path: _, ...bind } = mount.bind
  return { ...mount, bind }
}

function withNumericMode<T extends { mode?: string }>(reference: T, radix: number): unknown {
  return reference.mode === undefined
    ? reference
    : { ...reference, mode: Number.parseInt(reference.mode, radix) }
}
