import { useMemo } from 'react'
import { useSearchParams } from 'react-router'
import { supplementStatus } from '../../../contract/core/codes/programme.ts'
import { fileApi } from '../../../contract/platform/files/files.calls.ts'
import { supplementApi } from '../../../contract/programme/supplements/supplements.calls.ts'
import { LockButton } from '../../core/parts/buttons.tsx'
import { FileField } from '../../core/form/file-fields.tsx'
import { ImageField } from '../../core/form/image-field.tsx'
import { notify } from '../../core/service/notice.tsx'
import { FormSection, FormPage } from '../../core/form/form-page.tsx'
import { useTab, useTabTitle } from '../../core/service/tab.ts'
import { useInitialData } from '../../core/service/use-initial-data.ts'
import { CredentialField } from './credential-field.tsx'
import { Achievement, Experience, Student } from './form-fields.tsx'
import { FormHints, FormPreview } from './form-preview.tsx'
import { blankSupplement, supplementInput, supplementValues } from './supplement-form.ts'
import { supplementPaths, SupplementStatus } from '../../shared/supplements/supplement-status.tsx'
import '../../shared/lessons/lessons.css'
import '../../shared/approvals/approvals.css'

const proofCalls = { upload: fileApi.upload, view: supplementApi.proof }

/**
 * One form for new records, entered on behalf of a student, and for edits: an id in the address selects update, none
 * create.
 */
export function SupplementFormPage() {
  const [query] = useSearchParams()
  const lisId = query.get('lisId') ?? undefined
  const { close } = useTab()
  const { data: supplement, ...reading } = useInitialData(supplementApi.load, lisId, (id) => ({ lisId: id }))
  const initial = useMemo(
    () => (lisId ? supplement && supplementValues(supplement) : blankSupplement),
    [lisId, supplement],
  )
  useTabTitle(supplement && `编辑 ${supplement.lisName}`)
  return (
    <FormPage
      title={lisId ? `编辑补录${supplement ? `：${supplement.lisName}` : ''}` : '新增补录'}
      status={supplement && <SupplementStatus sup={supplement} />}
      facts={
        supplement?.lisStatus === supplementStatus.refused
          ? `驳回原因：${supplement.refuseReason}`
          : '带 * 为必填项；代学生录入系统外的竞赛、证书、志愿等经历'
      }
      call={supplementApi.save}
      isLoading={!initial}
      reading={reading}
      noun="补录"
      list={supplementPaths.list}
      initial={initial}
      input={(values) => supplementInput({ ...values, submit: values['submit'] ?? '1' })}
      draft={`sup:${lisId ?? 'new'}`}
      submitText={supplement?.lisStatus === supplementStatus.refused ? '修改并重新提交' : '提交审批'}
      foot={(form) => (
        <LockButton
          disabled={!initial || form.isSending}
          authority-type={supplementApi.save.permit}
          onClick={() => form.submit({ submit: '0' })}
        >
          存为草稿
        </LockButton>
      )}
      onDone={({ lisId: saved, lisStatus }) => {
        notify(
          'success',
          lisStatus === supplementStatus.inReview
            ? '已提交审批'
            : lisStatus === supplementStatus.passed || lisStatus === supplementStatus.inNotice
              ? '已提交，无需审批'
              : lisId
                ? '保存成功'
                : '已存为草稿',
        )
        close(supplementPaths.detail(saved))
      }}
    >
      <FormSection title="学生">
        <Student sup={supplement} />
      </FormSection>
      <FormSection title="经历">
        <Experience />
      </FormSection>
      <FormSection title="认定">
        <Achievement />
      </FormSection>
      <FormSection title="证明材料" hint="证明材料只有能查看本条补录的人可见。">
        <ImageField
          name="proofImages"
          label="图片"
          files={proofCalls}
          max={6}
          known={supplement?.proofs}
          help="证书、奖状等照片或扫描件，JPG、PNG 或 WebP，每张不超过 10 MB，最多 6 张"
        />
        <FileField
          name="proofPapers"
          label="文件"
          files={proofCalls}
          max={4}
          known={supplement?.proofs}
          help="PDF、Word、Excel 或 PowerPoint，每个不超过 20 MB，最多 4 个"
        />
        <CredentialField known={supplement?.credential?.title} />
        <FormHints lisId={lisId} />
      </FormSection>
      <FormSection title="审批与学时" hint="按所选学生、模块与级别匹配流程，并按评价规则计算。">
        <FormPreview />
      </FormSection>
    </FormPage>
  )
}
