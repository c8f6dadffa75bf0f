import { expect, test } from 'vitest'
import type { z } from 'zod'
import { AlertChannel, AlertChannelBody } from '../alert-channels/schema.ts'
import { Target, TargetBody } from '../backup-jobs/target-schema.ts'
import { CreateRegistryBody, Registry } from '../registries/schema.ts'
import { CreateSourceBody, Source } from '../sources/schema.ts'
import { EstateBackupTarget, EstateChannel, EstateRegistry, EstateSource } from './schema.ts'

type Shape = Readonly<Record<string, z.ZodType>>

/** What creates a thing, what its endpoint returns, and how a file declares it. */
const things: [Shape, Shape, Shape][] = [
  [CreateRegistryBody.shape, Registry.shape, EstateRegistry.shape],
  [CreateSourceBody.shape, Source.shape, EstateSource.shape],
  ...AlertChannelBody.options.map((one, at): [Shape, Shape, Shape] => [
    one.shape,
    AlertChannel.shape,
    EstateChannel.options[at]?.shape ?? {},
  ]),
  ...TargetBody.options.map((one, at): [Shape, Shape, Shape] => [
    one.shape,
    Target.options[at]?.shape ?? {},
    EstateBackupTarget.options[at]?.shape ?? {},
  ]),
]

test('no field that is never returned can be a text in a file', () => {
  const found = new Set<string>()
  for (const [created, returned, declared] of things) {
    for (const field of Object.keys(created).filter((one) => !(one in returned))) {
      found.add(field)
      const schema = declared[field]
      expect([field, schema?.safeParse({ from: 'A' }).success]).toEqual([field, true])
      expect([field, schema?.safeParse('a text').success]).toEqual([field, false])
    }
  }
  expect([...found].sort()).toEqual([
    ...['age_identity', 'key', 'passphrase', 'password', 'private_key', 'secret'],
    ...['secret_access_key', 'token', 'topic', 'url', 'urls', 'user'],
  ])
})
