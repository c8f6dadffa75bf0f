import { z } from 'zod'
import { registryAddress, registryPattern } from '../compose/reference/registry-address.ts'
import { Instant, instant } from '../core/access/fields.ts'
import type { Registry as Record } from '../core/records/registry.ts'
import { acceptResponse } from '../kit/read-only.ts'

/** The maximum number of registries that can exist, and so of a list. */
export const registriesMax = 200

const Address = z
  .string()
  .max(255)
  .overwrite(registryAddress)
  .regex(registryPattern, 'must be a host or host:port, as before the first slash of an image name')
  .describe('The part of an image name before the first slash; `docker.io` for Docker Hub')

const Name = z
  .string()
  .min(1)
  .max(255)
  .regex(/^[^\p{Cc}]*$/u, 'must not contain control characters')
const Password = z
  .string()
  .min(1)
  .max(8192)
  .describe('A password or an access token; never returned')

export const Registry = z
  .object({
    id: z.string().describe('Id of the registry: its address'),
    address: z.string().describe('The part of an image name before the first slash'),
    username: z.string().describe('Account at the registry'),
    created_at: Instant.describe('When the credentials were stored'),
    updated_at: Instant.describe('When the credentials were last changed'),
  })
  .meta({ id: 'Registry' })

export const RegistryPath = z.object({
  id: z.string().min(1).max(255).describe('Id of the registry: its address'),
})

export const CreateRegistryBody = z
  .strictObject({
    address: Address,
    username: Name.describe('Account at the registry'),
    password: Password,
  })
  .meta({ id: 'CreateRegistryBody' })

export const UpdateRegistryBody = acceptResponse(
  z.strictObject({
    address: Address.optional().describe('The present address: it cannot be changed'),
    username: Name.optional().describe('Account at the registry'),
    password: Password.optional(),
  }),
  Registry,
).meta({ id: 'UpdateRegistryBody' })

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
