import { useEffect, useState } from 'react'
import { useNavigate, useParams } from 'react-router'
import type { Input } from '../../../contract/core/call.ts'
import { yesNo } from '../../../contract/core/codes/platform.ts'
import { supplementType } from '../../../contract/core/codes/programme.ts'
import { supProof } from '../../../contract/core/codes/rules.ts'
import { curriculumApi } from '../../../contract/rules/curriculum/curriculum.calls.ts'
import { awardApi } from '../../../contract/rules/awards/awards.calls.ts'
import { ownSupplementApi } from '../../../contract/student/supplements.calls.ts'
import { formerClass } from '../../core/parts/former.ts'
import { entriesOf, labelOf } from '../../core/service/dictionary-store.ts'
import { clearDraft, keepDraft, readDraft } from '../../core/service/draft.ts'
import { notify } from '../../core/service/notice.tsx'
import { useInitialData } from '../../core/service/use-initial-data.ts'
import { useCall, useSend } from '../../core/service/use-call.ts'
import { ApiError } from '../../core/service/wire.ts'
import { Answered, Card } from '../parts/pieces.tsx'
import { useFormHints, useFormPreview } from '../../shared/supplements/use-form-questions.ts'
import { AreaField, SelectField, TextField } from '../parts/fields.tsx'
import { CredentialField } from './credential-field.tsx'
import { Page } from '../parts/page.tsx'
import { Photos, type Proof } from '../parts/photos.tsx'

type Values = Record<string, string>
const minutes = { staleTime: 5 * 60_000 }

/** Kinds in which a team may have taken part, and those for which awards are given. */
const withTeam: readonly string[] = [
  supplementType.competitionAward,
  supplementType.publication,
  supplementType.patent,
  supplementType.research,
  supplementType.performance,
]
const withAward: readonly string[] = [
  supplementType.competitionAward,
  supplementType.honour,
  supplementType.performance,
]
/** Kinds that last: when they began and ended counts. */
const withPeriod: readonly string[] = [
  supplementType.volunteering,
  supplementType.practice,
  supplementType.office,
  supplementType.research,
]

/** A record from the beginning, or one of the student's own that was not approved. */
export function SupplementFormPage() {
  const { lisId } = useParams()
  // values and version of one moment: what a reviewer writes meanwhile must not be overwritten
  const { data: record, error, refetch } = useInitialData(ownSupplementApi.detail, lisId, (id) => ({ lisId: id }))
  if (!lisId) return <Form initial={readDraft('own-sup')?.values as Values | undefined} proofs={[]} />
  return record ? (
    <Form
      lisId={lisId}
      version={record.version}
      refusal={record.refuseReason}
      initial={Object.fromEntries(
        Object.entries(record).flatMap(([name, value]) =>
          typeof value === 'string' || typeof value === 'number' ? [[name, String(value)]] : [],
        ),
      )}
      proofs={record.proofs}
      credentialTitle={record.credential?.title}
    />
  ) : (
    <Page title="修改补录">
      <Answered of={{ data: undefined, isError: error !== null, refetch }}>{() => null}</Answered>
    </Page>
  )
}

interface FormProps {
  lisId?: string
  version?: number
  refusal?: string
  initial: Values | undefined
  proofs: readonly Proof[]
  credentialTitle?: string | undefined
}

function Form({ lisId, version, refusal, initial, proofs: kept, credentialTitle }: FormProps) {
  const [values, setValues] = useState<Values>(initial ?? {})
  const [proofs, setProofs] = useState<Proof[]>([...kept])
  // not among the values: a draft would leave it on the phone
  const [credential, setCredential] = useState('')
  const [isUploading, setUploading] = useState(false)
  const [faults, setFaults] = useState<Values>({})
  const places = useCall(ownSupplementApi.places, {}, minutes)
  const levels = useCall(curriculumApi.levels, {}, minutes)
  const awards = useCall(awardApi.select, {}, minutes)
  const save = useSend(ownSupplementApi.save)
  const navigate = useNavigate()
  useEffect(() => {
    if (!lisId) keepDraft('own-sup', () => values)
  }, [lisId, values])

  const place = places.data?.find(({ lsId }) => lsId === values['lsId'])
  const allowed = place?.allowLevels ?? []
  const type = values['lisType'] ?? ''
  const awardNames = [...new Set(awards.data?.flatMap(({ details }) => details.map(({ adName }) => adName)))]
  const field = (name: string) => ({
    value: values[name] ?? '',
    fault: faults[name],
    onChange: (value: string) => setValues((before) => ({ ...before, [name]: value })),
  })

  async function send(submit: '0' | '1') {
    setFaults({})
    try {
      const saved = await save.send(inputOf(values, proofs, { lisId, version, submit, credential }))
      // the draft is of another record that was begun
      if (!lisId) clearDraft('own-sup')
      notify('success', submit === yesNo.yes ? '已提交，等待审批' : '已存为草稿')
      await navigate(`/supplements/${saved.lisId}`, { replace: true })
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      setFaults(Object.fromEntries(error.faults.map(({ field: name, msg }) => [name.split('.')[0]!, msg])))
      requestAnimationFrame(() => document.querySelector('.s-fault')?.scrollIntoView({ block: 'center' }))
    }
  }

  return (
    <Page
      title={lisId ? '修改补录' : '新增补录'}
      foot={
        <>
          <button
            type="button"
            className="s-button"
            disabled={save.isSending || isUploading}
            onClick={() => void send(yesNo.no)}
          >
            存为草稿
          </button>
          <button
            type="button"
            className="s-button s-primary"
            disabled={save.isSending || isUploading}
            onClick={() => void send(yesNo.yes)}
          >
            {isUploading ? '照片上传中…' : save.isSending ? '正在提交…' : '提交审批'}
          </button>
        </>
      }
    >
      {refusal && (
        <p className="s-banner" role="status">
          驳回原因：{refusal}
        </p>
      )}
      <Card title="申报什么">
        <SelectField
          label="模块"
          required
          {...field('lsId')}
          options={(places.data ?? []).map(({ lsId, fullName, isOpen, window }) => ({
            value: lsId,
            label: isOpen ? fullName : `${fullName}（${window}开放）`,
          }))}
          help={
            place &&
            (place.isOpen
              ? [place.openUntil && `开放至 ${place.openUntil}`, place.supNote].filter(Boolean).join('。')
              : `未到开放时间（${place.window}），可先存为草稿`)
          }
        />
        <SelectField label="类型" required {...field('lisType')} options={entriesOf('sup_type')} />
        <SelectField
          label="级别"
          required
          {...field('lisLevel')}
          options={(levels.data ?? [])
            .filter(({ llId }) => allowed.length === 0 || allowed.includes(llId))
            .map(({ llId, llName }) => ({ value: llId, label: llName }))}
        />
        <TextField label="名称" required maxLength={100} {...field('lisName')} />
        <TextField label="获得日期" required type="date" {...field('lisObtainDate')} />
        <TextField label="主办或发证单位" maxLength={100} {...field('lisOrg')} />
        {withAward.includes(type) &&
          (awardNames.length > 0 ? (
            <SelectField
              label="奖项"
              {...field('lisAward')}
              options={awardNames.map((name) => ({ value: name, label: name }))}
            />
          ) : (
            <TextField label="奖项" maxLength={30} {...field('lisAward')} />
          ))}
        {withPeriod.includes(type) && (
          <>
            <TextField label="开始日期" type="date" {...field('lisStartDate')} />
            <TextField label="结束日期" type="date" {...field('lisEndDate')} />
          </>
        )}
        {withTeam.includes(type) && (
          <>
            <SelectField label="参与方式" {...field('lisPartakeMode')} options={entriesOf('partake_mode')} />
            <TextField label="团队人数" inputMode="numeric" {...field('lisTeamSize')} help="个人参加不填" />
            <TextField label="本人排位" inputMode="numeric" {...field('lisRank')} />
          </>
        )}
        {faults['lisHoursDeclared'] || values['lisHoursDeclared'] ? (
          <TextField label="申请学时" inputMode="decimal" {...field('lisHoursDeclared')} />
        ) : null}
      </Card>
      <Card
        title="证明"
        note={
          place &&
          place.supProofs.length > 0 &&
          `需要：${place.supProofs.map((kind) => labelOf('sup_proof', kind)).join('、')}`
        }
      >
        <Photos
          label="照片或文件"
          value={proofs}
          onChange={setProofs}
          onBusy={setUploading}
          view={ownSupplementApi.proof}
          max={10}
          fault={faults['lisProofs']}
          help="照片会自动压缩，并去除拍摄地点；也可以上传 PDF"
        />
        {(type === supplementType.certificate || place?.supProofs.includes(supProof.certificateNumber)) && (
          <TextField label="证书编号" maxLength={60} {...field('certNo')} />
        )}
        {place?.supProofs.includes(supProof.url) && <TextField label="查询网址" type="url" {...field('certUrl')} />}
        <CredentialField
          value={credential}
          onChange={setCredential}
          fault={faults['lisCredential']}
          known={credentialTitle}
        />
        <AreaField label="说明" maxLength={1000} {...field('lisDesc')} />
        <Hints values={values} proofs={proofs} lisId={lisId} />
      </Card>
      <Preview values={values} />
    </Page>
  )
}

/** Without whose record it is: that is whoever asks. */
const own = (values: Values) => ({ ...values, suId: undefined })

/** Records that look like this one, told before it is sent. */
function Hints({ values, proofs, lisId }: { values: Values; proofs: readonly Proof[]; lisId: string | undefined }) {
  const isReady = proofs.length > 0 || Boolean(values['certNo']) || Boolean(values['lisName'])
  const ids = proofs.map(({ id }) => id)
  const { data = [], isFormer } = useFormHints(ownSupplementApi.dupHints, { ...own(values), lisId }, ids, isReady)
  return (
    <div className={formerClass(isFormer)} aria-live="polite">
      {data.map(({ text }) => (
        <p key={text} className="s-banner">
          {text}
        </p>
      ))}
    </div>
  )
}

/** Who decides and what it would give, once enough is known. */
function Preview({ values }: { values: Values }) {
  const isChosen = Boolean(values['lsId'] && values['lisLevel'])
  const { data, isFormer } = useFormPreview(ownSupplementApi.preview, own(values), isChosen)
  if (!data) return null
  return (
    <Card title="预计">
      <ul className={formerClass(isFormer, 's-plain')} aria-busy={isFormer}>
        {data.reckoning.map(({ clType, value, text }) => (
          <li key={clType}>
            <span>
              {clType} {value}
            </span>
            <span>{text}</span>
          </li>
        ))}
        {data.nodes.flatMap(({ nodeName, steps }) =>
          steps.map(({ stepName, people, note, vacancy }) => (
            <li key={`${nodeName}${stepName}`}>
              <span>{stepName}</span>
              <span>{people.join('、') || vacancy?.text || note}</span>
            </li>
          )),
        )}
        {data.missing && (
          <li>
            <span>暂时不能提交</span>
            <span>未配置适用的审批流程，{data.missing.text}</span>
          </li>
        )}
      </ul>
    </Card>
  )
}

const texts = [
  'lsId',
  'lisType',
  'lisLevel',
  'lisName',
  'lisObtainDate',
  'lisOrg',
  'lisAward',
  'lisStartDate',
  'lisEndDate',
  'lisTeamSize',
  'lisRank',
  'lisHoursDeclared',
  'lisPartakeMode',
  'certNo',
  'certUrl',
  'lisDesc',
]

/** What the form sends; fields that were left empty are not told. */
const inputOf = (
  values: Values,
  proofs: readonly Proof[],
  more: { lisId: string | undefined; version: number | undefined; submit: '0' | '1'; credential: string },
) =>
  ({
    ...Object.fromEntries(texts.flatMap((name) => (values[name]?.trim() ? [[name, values[name].trim()]] : []))),
    lisProofs: proofs.map(({ id }) => id),
    submit: more.submit,
    ...(more.credential.trim() && { lisCredential: more.credential.trim() }),
    ...(more.lisId && { lisId: more.lisId, version: more.version }),
  }) as Input<typeof ownSupplementApi.save>
