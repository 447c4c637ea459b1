import { createHash, createHmac } from 'node:crypto'

/** Who signs, and for which service region. */
export interface Signer {
  keyId: string
  secret: string
  region: string
}

/**
 * The `Authorization` header of a request to an S3-compatible service (AWS Signature Version 4), calculated by the
 * bucket of the tests: another way than the product's.
 * @param headers all that are to be signed, names in lower case; among them host, x-amz-date and x-amz-content-sha256
 * @param path as sent, its parts already percent-encoded
 */
export function authorization(signer: Signer, method: string, path: string, headers: Record<string, string>): string {
  const names = Object.keys(headers).toSorted()
  const request = [
    method,
    path,
    '',
    ...names.map((name) => `${name}:${headers[name]!.trim()}`),
    '',
    names.join(';'),
    headers['x-amz-content-sha256'],
  ].join('\n')
  const moment = headers['x-amz-date']!
  const scope = `${moment.slice(0, 8)}/${signer.region}/s3/aws4_request`
  const toSign = ['AWS4-HMAC-SHA256', moment, scope, createHash('sha256').update(request).digest('hex')].join('\n')
  const key = scope
    .split('/')
    .reduce<Buffer | string>((made, part) => createHmac('sha256', made).update(part).digest(), `AWS4${signer.secret}`)
  const signature = createHmac('sha256', key).update(toSign).digest('hex')
  return `AWS4-HMAC-SHA256 Credential=${signer.keyId}/${scope}, SignedHeaders=${names.join(';')}, Signature=${signature}`
}
