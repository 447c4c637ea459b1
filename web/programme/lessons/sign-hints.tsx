import { signingApi } from '../../../contract/programme/lessons/signing.calls.ts'
import { useCall } from '../../core/service/use-call.ts'

/** Milliseconds until what was noticed is asked for again, while a hall signs in. */
const askEveryMs = 15_000

/** What was noticed at the sign-in, for people to look into; nothing is decided by it. */
export function SignHints({ liId }: { liId: string }) {
  const { data } = useCall(signingApi.hints, { liId }, { staleTime: 0, quiet: true, refetchInterval: () => askEveryMs })
  if (!data || data.length === 0) return null
  return (
    <section className="card sign-hints" aria-labelledby="sign-hints">
      <h2 id="sign-hints">请核对（{data.length}）</h2>
      <p>以下情况可能是代签，也可能有正当原因，系统不据此作任何处理；核实后可在参与人员中更正签到。</p>
      <ul>
        {data.map(({ laId, lseNo, kind, suiName, suiNumber, text, hintTime }) => (
          <li key={`${laId}${lseNo}${kind}`}>
            <span>
              <b>{suiName}</b> {suiNumber}
            </span>
            <span>{text}</span>
            <span className="figures">{hintTime.slice(5, 16)}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}
