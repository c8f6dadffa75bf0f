import { expect, test } from 'vitest'
import { ociTarget } from './oci-target.ts'

const digest = `sha256:${'a'.repeat(64)}`

test.each([
  ['oci://127.0.0.1:5000/team/shop', '1.0', ['127.0.0.1:5000', 'team/shop', '1.0']],
  ['oci://registry.example.org/shop', digest, ['registry.example.org', 'shop', digest]],
  ['oci://docker.io/team/shop', 'latest', ['docker.io', 'team/shop', 'latest']],
])('%s at %s is a place in a registry', (url, ref, [registry, repository, tag]) => {
  expect(ociTarget(url, ref)).toEqual({ registry, repository, tag })
})

test.each([
  ['https://registry.example.org/team/shop', '1'],
  ['oci://registry.example.org', '1'],
  ['oci://ada:secret@registry.example.org/team/shop', '1'],
  ['oci://registry.example.org/team/shop:1', '2'],
  ['oci://registry.example.org/team/../shop', '1'],
  ['oci://registry.example.org/Team', '1'],
  ['oci://registry.example.org/team/shop?x=1', '1'],
  ['oci://registry.example.org/team/shop', ''],
  ['oci://registry.example.org/team/shop', '../1'],
  ['oci://registry.example.org/team/shop', 'sha256:12'],
])('%s at %s is none', (url, ref) => {
  expect(ociTarget(url, ref)).toBeUndefined()
})
