/**
 * The headers of the explorer's page: scripts, styles and calls of this origin alone. Pictures may also be `data:`,
 * because the explorer's style sheet holds its icons in that form.
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
