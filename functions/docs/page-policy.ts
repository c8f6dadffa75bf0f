/**
 * Headers of the explorer's page: scripts, styles and requests only to this origin. Images may also
 * be `data:` URLs, because the explorer's style sheet embeds its icons that way.
 */
export const pagePolicy = {
  'Content-Security-Policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "connect-src 'self'",
    "img-src 'self' data:",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  'Cross-Origin-Opener-Policy': 'same-origin',
  'X-Frame-Options': 'DENY',
}
