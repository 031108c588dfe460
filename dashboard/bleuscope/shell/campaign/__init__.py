"""Campaigns at work: one set at a time, in processes of this machine or on a cluster; what is finished is kept."""
