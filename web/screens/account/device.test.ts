import { expect, test } from 'vitest'
import { deviceOf } from './device.ts'

const chrome = 'AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36'
test.each([
  [`Mozilla/5.0 (X11; Linux x86_64) ${chrome}`, 'Chrome · Linux'],
  [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${chrome} Edg/131.0`, 'Edge · Windows'],
  [`Mozilla/5.0 (Linux; Android 14; Pixel 8) ${chrome}`, 'Chrome · Android'],
  ['Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0', 'Firefox · Linux'],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Version/18.0 Safari/604.1',
    'Safari · iPhone',
  ],
  ['Mozilla/5.0 (X11; Linux x86_64) HeadlessChrome/131.0.0.0 Safari/537.36', 'Chrome · Linux'],
  ['Mozilla/5.0 something', 'Mozilla/5.0 something'],
  ['cli/0.1.0', 'cli/0.1.0'],
  ['', ''],
])('%s is %s', (userAgent, device) => {
  expect(deviceOf(userAgent)).toBe(device)
})
