import type { Service } from '../service.ts'
import type { VolumeMount } from '../service-parts.ts'
import { object } from './hash-fields.ts'
import { serviceFields226 } from './hash-service.ts'

/** A service in a form in which Compose 2.26 may have read it. */
export type Service226 = Omit<Service, 'volumes' | 'secrets' | 'configs'> & Record<string, unknown>

/**
 * Each mount with options doubles the number of hashes. If there are more than this, all of them
 * are assumed to be written in the same form.
 */
const mixedMountsMax = 6

/**
 * Returns every form in which Compose 2.26 may have read a service. In that version the form of a
 * bind mattered: the short form set `create_host_path`, the long form did not. A file mode was a
 * number; a quoted mode was read as decimal digits.
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

/** Returns the JSON text that version 2.26 hashes. It includes dependencies and profiles. */
export const preimage226 = (service: Service226): string => object(serviceFields226, service)

/** Varies each bind with options individually, and all plain binds together. */
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
