from bleuscope.integrations.widget import SegmentsWidget

SegmentsWidget(study)
