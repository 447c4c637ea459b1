import { ownSigningApi } from '../../../contract/student/signing.calls.ts'
import { useCall } from '../../core/service/use-call.ts'
import { useOutdated } from '../../core/service/use-outdated.ts'
import { Page } from '../parts/page.tsx'
import { Answered, StoppedCode } from '../parts/pieces.tsx'
import { useAwake } from './use-awake.ts'

/** The student's own code, which changes, to be scanned by whoever looks after a sign-in. */
export function MyCodePage() {
  useAwake()
  const answer = useCall(
    ownSigningApi.code,
    {},
    {
      keepPrevious: true,
      staleTime: 0,
      quiet: true,
      refetchOnWindowFocus: true,
      refetchInterval: (last) => 1000 * ((last as { leftSeconds: number } | undefined)?.leftSeconds ?? 5),
    },
  )
  const isOutdated = useOutdated(answer.dataUpdatedAt, answer.data?.every)
  return (
    <Page title="我的签到码">
      <Answered of={answer}>
        {({ picture, suiName, suiNumber, every }) =>
          isOutdated ? (
            <StoppedCode onRetry={answer.refetch} />
          ) : (
            <div className="s-qr">
              <img src={picture} alt={`${suiName}的签到码，每 ${every} 秒更换`} />
              <p>
                <strong>{suiName}</strong> {suiNumber}
              </p>
              <p className="s-note">请签到负责人扫描。{every} 秒更换一次，截图无效</p>
            </div>
          )
        }
      </Answered>
    </Page>
  )
}
