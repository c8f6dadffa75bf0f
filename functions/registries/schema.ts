import { z } from 'zod'
import { Instant, instant } from '../core/access/fields.ts'
import {
  type Registry as Record,
  registryAddress,
  registryPattern,
} from '../core/registries/registry.ts'

/** Most registries that can exist, and so the most that a list returns. */
export const registriesMax = 200

const Address = z
  .string()
  .max(255)
  .overwrite(registryAddress)
  .regex(
    registryPattern,
    'not a registry address: expected host or host:port, as before the first slash of an image name',
  )
  .describe('The part of an image name before the first slash; `docker.io` for Docker Hub')

const Name = z
  .string()
  .min(1)
  .max(255)
  .regex(/^[^\p{Cc}]*$/u, 'contains control characters')
const Password = z.string().min(1).max(8192).describe('A password or an access token')

export const Registry = z
  .object({
    id: z.string(),
    address: z.string(),
    username: z.string(),
    created_at: Instant,
    updated_at: Instant,
  })
  .meta({ id: 'Registry' })

export const RegistryPath = z.object({ id: z.string().min(1).max(255) })

export const CreateRegistryBody = z
  .strictObject({ address: Address, username: Name, password: Password })
  .meta({ id: 'CreateRegistryBody' })

export const UpdateRegistryBody = z
  .strictObject({ username: Name.optional(), password: Password.optional() })
  .meta({ id: 'UpdateRegistryBody' })

/** Returns a registry in the API's form, without its password. */
export const showRegistry = ({ id, username, createdAt, updatedAt }: Record) => ({
  id,
  address: id,
  username,
  created_at: instant(createdAt),
  updated_at: instant(updatedAt),
})

export const registryExample = {
  id: 'registry.example.org:5000',
  address: 'registry.example.org:5000',
  username: 'puller',
  created_at: '2026-06-01T12:00:00.000Z',
  updated_at: '2026-06-01T12:00:00.000Z',
}
