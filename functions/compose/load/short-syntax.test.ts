import { describe, expect, test } from 'vitest'
import fc from '../../../local/harness/properties.ts'
import { parseBytes, parseDuration, printDuration, toFloat32 } from '../units.ts'
import { splitWords } from './shell-words.ts'
import { isAddress, parsePorts } from './short-port.ts'
import { parseVolume } from './short-volume.ts'

describe('a port', () => {
  const port = (target: number, more: object = {}) => ({
    mode: 'ingress',
    protocol: 'tcp',
    target,
    ...more,
  })
  test.each([
    ['3000', [port(3000)]],
    ['8080:80', [port(80, { published: '8080' })]],
    ['53:53/udp', [port(53, { published: '53', protocol: 'udp' })]],
    ['53:53/UDP', [port(53, { published: '53', protocol: 'udp' })]],
    ['127.0.0.1:8080:80', [port(80, { published: '8080', host_ip: '127.0.0.1' })]],
    ['127.0.0.1::80', [port(80, { host_ip: '127.0.0.1' })]],
    ['[::1]:8080:80', [port(80, { published: '8080', host_ip: '::1' })]],
    ['8000-8005:80', [port(80, { published: '8000-8005' })]],
    ['20-21', [port(20), port(21)]],
    ['80-81:90-91', [port(90, { published: '80' }), port(91, { published: '81' })]],
  ])('%s', (spec, ports) => expect(parsePorts(spec)).toEqual(ports))

  test.each([
    ['', 'no port specified'],
    ['x', 'invalid container port: x'],
    ['70000', 'invalid container port: 70000'],
    ['80:', 'invalid container port: <empty>'],
    ['a:80', 'invalid host port: a'],
    ['81-80', 'runs backwards'],
    ['80-82:90-91', 'different lengths'],
    ['80/icmp', 'invalid protocol "icmp"'],
    ['example.com:80:80', 'invalid IP address "example.com"'],
  ])('rejects %j: %s', (spec, detail) => expect(() => parsePorts(spec)).toThrow(detail))

  test('expands a range into one entry for each port', () => {
    const range = fc.tuple(fc.integer({ min: 1, max: 60000 }), fc.integer({ min: 0, max: 50 }))
    fc.assert(
      fc.property(range, ([start, more]) => {
        const ports = parsePorts(`${start}-${start + more}:${start}-${start + more}`)
        expect(ports.map(({ target }) => target)).toEqual(
          ports.map(({ published }) => Number(published)),
        )
        expect(ports).toHaveLength(more + 1)
      }),
    )
  })

  test.each([
    ['1.2.3.4', true],
    ['1.2.3.256', false],
    ['1.2.3', false],
    ['01.2.3.4', false],
    ['::ffff:1.2.3.4', true],
    ['::1.2.3.4', true],
    ['1:2:3:4:5:6:1.2.3.4', true],
    ['1:2:3:4:5::1.2.3.4', true],
    ['1:2:3:4:5:6::1.2.3.4', false],
    ['1:2:3:4:5:6:7:1.2.3.4', false],
    ['::ffff:01.2.3.4', false],
    ['::ffff:1.2.3.256', false],
    ['::ffff:1.2.3', false],
    ['::ffff:1.2.3.4.5', false],
    ['1.2.3.4::', false],
    ['1.2.3.4:5::', false],
    [':1.2.3.4', false],
    ['::', true],
    ['fe80::1%eth0', false],
    ['1:2:3:4:5:6:7:8', true],
    ['1:2:3:4:5:6:7:8:9', false],
    ['1::2::3', false],
    ['host', false],
  ])('checks whether %s is an IP address', (text, is) => expect(isAddress(text)).toBe(is))
})

describe('a volume', () => {
  const bind = (source: string, target: string, more: object = {}) => ({
    type: 'bind',
    source,
    target,
    bind: {},
    ...more,
  })
  const named = (source: string, target: string, more: object = {}) => ({
    type: 'volume',
    source,
    target,
    volume: {},
    ...more,
  })
  test.each([
    ['/data', { type: 'volume', target: '/data', volume: {} }],
    ['data:/data', named('data', '/data')],
    ['data:/data:ro', named('data', '/data', { read_only: true })],
    ['data:/data:nocopy', named('data', '/data', { volume: { nocopy: true } })],
    ['./data:/data', bind('./data', '/data')],
    ['../data:/data:rw', bind('../data', '/data')],
    ['~/data:/data', bind('~/data', '/data')],
    ['/a:/b:ro,z', bind('/a', '/b', { read_only: true, bind: { selinux: 'z' } })],
    ['/a:/b:Z,rshared', bind('/a', '/b', { bind: { selinux: 'Z', propagation: 'rshared' } })],
    ['C:\\a:/b', bind('C:\\a', '/b')],
    ['d:/data', { type: 'volume', target: 'd:/data', volume: {} }],
    ['/a:/x/${V:-b}', bind('/a', '/x/${V:-b}')],
  ])('%s', (spec, volume) => expect(parseVolume(spec)).toEqual(volume))

  test.each([
    ['', 'invalid empty volume spec'],
    [':/a', 'empty section'],
    ['/a::ro', 'empty section'],
    ['/a:/b:ro:x', 'too many colons'],
  ])('rejects %j: %s', (spec, detail) => expect(() => parseVolume(spec)).toThrow(detail))
})

describe('a command', () => {
  test.each([
    ['sleep 3600', ['sleep', '3600']],
    ["sh -c 'echo $X  y'", ['sh', '-c', 'echo $X  y']],
    ['a "b \\"c\\"" d\\ e', ['a', 'b "c"', 'd e']],
    ['a"b c"d \'\' ""', ['ab cd', '', '']],
    ['  a \n b\t', ['a', 'b']],
    ['', []],
    ['echo a; echo b', ['echo', 'a']],
    ['a && b', ['a']],
    ['a | b', ['a']],
    ['a 2>/dev/null', ['a']],
    ['echo `date -u` $(ls -l)', ['echo', '`date -u`', '$(ls -l)']],
    ['a "b', undefined],
    ["it's", undefined],
  ])('%j', (text, words) => expect(splitWords(text)).toEqual(words))
})

describe('units', () => {
  test.each([
    ['1024', 1024n],
    ['64m', 67108864n],
    ['64MB', 67108864n],
    ['64 MiB', 67108864n],
    ['1.5g', 1610612736n],
    ['0', 0n],
    ['-1', -1n],
    ['2t', 2199023255552n],
    ['x', undefined],
    ['1q', undefined],
  ])('parses %s bytes', (text, bytes) => expect(parseBytes(text)).toBe(bytes))

  test.each([
    ['10s', '10s'],
    ['90s', '1m30s'],
    ['1h30m', '1h30m0s'],
    ['1.5h', '1h30m0s'],
    ['1500ms', '1.5s'],
    ['250us', '250µs'],
    ['2d', '48h0m0s'],
    ['1w', '168h0m0s'],
    ['0', '0s'],
    ['-1s', '-1s'],
    ['10', undefined],
    ['soon', undefined],
    ['', undefined],
  ])('parses %s as a duration of %s', (text, printed) => {
    const duration = parseDuration(text)
    expect(duration === undefined ? undefined : printDuration(duration)).toBe(printed)
  })

  test('parses printed durations back to the same value', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 10n ** 17n }), (time) => {
        expect(parseDuration(printDuration(time))).toBe(time)
      }),
    )
  })

  test('limits numbers to 32 bits', () => {
    expect([0.5, 0.1, 0.123456789].map(toFloat32)).toEqual([0.5, 0.1, 0.12345679])
  })
})
